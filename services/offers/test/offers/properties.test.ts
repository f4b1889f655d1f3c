// Properties that hold for every input, not only for the examples of other tests.

import { isDeepStrictEqual } from 'node:util'
import { channelBacked, type OfferInput, productBacked } from '@svc/contract/offers/offer-input'
import { endOfTime } from '@svc/contract/core/text'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type KeyRow,
  leaseMs,
  refusedAfterLeaseMs,
  stateOf,
} from '../../src/offers/create/idempotency-key.ts'
import { intentOf, normalise } from '../../src/offers/create/intent.ts'
import { resolveTerms } from '../../src/offers/create/resolve-terms.ts'
import { mode, policy, price } from './arbitrary-policy.ts'

const holds = <T extends unknown[]>(property: fc.IProperty<T>, numRuns = 500) =>
  fc.assert(property, { numRuns: sized(Math.ceil(numRuns / 20), numRuns) })

const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter(line => productBacked.shape.tier.safeParse(line).success)
const name = text.filter(key => key !== '__proto__')
const email = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9.+-]{1,10}$/), fc.stringMatching(/^[a-zA-Z0-9]{1,10}$/))
  .map(([local, domain]) => `${local}@${domain}.example`)
const json = fc.jsonValue({ maxDepth: 3 }).filter(value => !JSON.stringify(value).includes('__proto__'))
const properties = {
  package_version_id: fc.string({ minLength: 1, maxLength: 55 }),
  allowed_emails: fc.array(email, { maxLength: 10 }),
  field_values: fc.dictionary(name, fc.record({ value: json, locked: fc.boolean() }), { maxKeys: 5 }),
  customer: fc.record({ display_name: fc.string({ minLength: 1, maxLength: 20 }) }),
  internal_note: text,
  notes: text,
  commercial_mode: mode,
  pricing_request: price,
  expires_at: fc.integer({ min: 1, max: endOfTime }),
  max_uses: fc.option(fc.integer({ min: 1, max: 10_000 })),
  order_ttl_minutes: fc.integer({ min: 1, max: 1440 }),
  tier: text,
}
type Sent = { product_id: string } & { [K in keyof typeof properties]?: unknown }

const sent = fc
  .record(properties, { requiredKeys: [] })
  .map(rest => ({ product_id: 'prod_1', ...rest }) as Sent)

const intent = (body: unknown) => intentOf(normalise(productBacked.parse(body) as OfferInput))

/** The same JSON with the keys of every object in random order. */
function permuted(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map(item => permuted(item, random))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => ({ key, inner, rank: random() }))
  entries.sort((a, b) => a.rank - b.rank)
  return Object.fromEntries(entries.map(({ key, inner }) => [key, permuted(inner, random)]))
}

const generator = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })).map(stream => {
  return () => stream.next().value as number
})

describe('intentOf', () => {
  test('does not depend on the order of keys, at any level', () => {
    holds(
      fc.property(sent, generator, (body, random) => {
        expect(intent(permuted(body, random))).toBe(intent(body))
      }),
    )
  })

  test('does not depend on the case, order and repetition of addresses', () => {
    const letters = fc.infiniteStream(fc.boolean())
    holds(
      fc.property(
        sent,
        fc.array(email, { maxLength: 10 }),
        letters,
        generator,
        (body, emails, upper, random) => {
          const recased = [...emails, ...emails].map(address =>
            [...address]
              .map(letter => (upper.next().value ? letter.toUpperCase() : letter.toLowerCase()))
              .join(''),
          )
          const shuffled = recased
            .map(address => ({ address, rank: random() }))
            .sort((a, b) => a.rank - b.rank)
          const again = { ...body, allowed_emails: shuffled.map(({ address }) => address) }
          expect(intent(again)).toBe(intent({ ...body, allowed_emails: emails }))
        },
      ),
    )
  })

  test('does not depend on whether defaults are spelled out', () => {
    holds(
      fc.property(sent, body => {
        expect(intent(productBacked.parse(body))).toBe(intent(body))
        const { max_uses = 1, order_ttl_minutes = 120, allowed_emails = [], field_values = {} } = body
        expect(intent({ ...body, max_uses, order_ttl_minutes, allowed_emails, field_values })).toBe(
          intent(body),
        )
      }),
    )
  })

  test('differs when any property does', () => {
    const names = fc.constantFrom(...(Object.keys(properties) as (keyof typeof properties)[]))
    const normal = (body: Sent, property: keyof typeof properties) => {
      const { [property]: value } = JSON.parse(JSON.stringify(productBacked.parse(body))) as Sent
      if (property === 'field_values') return value ?? {}
      if (property !== 'allowed_emails') return value
      return [...new Set((value as string[]).map(address => address.toLowerCase()))].sort()
    }
    holds(
      fc.property(sent, sent, names, (body, other, property) => {
        const changed = { ...body, [property]: other[property] }
        const same = isDeepStrictEqual(normal(body, property), normal(changed, property))
        expect(intent(changed) === intent(body)).toBe(same)
      }),
      2000,
    )
  })

  test('distinguishes max_uses null from the default of 1, and an explicit version from none', () => {
    const body = { product_id: 'prod_1' }
    expect(intent({ ...body, max_uses: null })).not.toBe(intent(body))
    expect(intent({ ...body, max_uses: 1 })).toBe(intent(body))
    expect(intent({ ...body, package_version_id: 'pkgv_1' })).not.toBe(intent(body))
  })
})

const requested = fc
  .record({ commercial_mode: mode, pricing_request: price }, { requiredKeys: [] })
  .map(rest => channelBacked.parse({ product_id: 'p', offer_channel_id: 'o', ...rest }) as OfferInput)

describe('resolveTerms', () => {
  test('never accepts a price outside the policy', () => {
    holds(
      fc.property(requested, policy, (body, { pricing, ...rest }) => {
        const { terms, problems } = resolveTerms(body, { pricing, ...rest })
        if (problems.length > 0 || terms.price === null) return
        const { currency, interval, unit_amount } = terms.price
        if (pricing.kind === 'fixed') {
          expect({ kind: 'fixed', ...terms.price }).toEqual(pricing)
        } else {
          expect(terms.price).toEqual(body.pricing_request ?? pricing.default_price)
          expect(pricing.currencies).toContain(currency)
          expect(pricing.intervals).toContain(interval)
          expect(unit_amount).toBeGreaterThanOrEqual(pricing.min_unit_amount)
          expect(unit_amount).toBeLessThanOrEqual(pricing.max_unit_amount)
        }
      }),
      3000,
    )
  })

  test('never allows a test or skips a checkout against the policy', () => {
    holds(
      fc.property(requested, policy, (body, policy) => {
        const { terms, problems } = resolveTerms(body, policy)
        if (problems.length > 0) return
        if (terms.commercial_mode === 'non_billable_test') expect(policy.allow_non_billable_test).toBe(true)
        else expect(terms.checkout).toBe(policy.checkout)
        expect(terms.price).not.toBeNull()
        expect(terms.commercial_mode).toBe(body.commercial_mode ?? policy.default_commercial_mode)
        expect(terms).toMatchObject({ approval: policy.approval, support: policy.support })
      }),
      3000,
    )
  })

  test('reports problems only with what was requested', () => {
    holds(
      fc.property(requested, policy, (body, policy) => {
        for (const { path = [] } of resolveTerms(body, policy).problems) {
          expect(['pricing_request', 'commercial_mode']).toContain(path[0])
          if (path.length > 1) expect(body.pricing_request).toHaveProperty(path[1] as string)
        }
      }),
    )
  })

  test('has no problem with an empty request', () => {
    const nothing = channelBacked.parse({ product_id: 'p', offer_channel_id: 'o' }) as OfferInput
    holds(
      fc.property(policy, policy => {
        expect(resolveTerms(nothing, policy).problems).toEqual([])
      }),
      3000,
    )
  })

  test('has no problem with any request without a channel', () => {
    holds(
      fc.property(requested, body => {
        const { terms, problems } = resolveTerms(body)
        expect(problems).toEqual([])
        expect(terms.price).toEqual(body.pricing_request ?? null)
      }),
    )
  })
})

describe('stateOf', () => {
  const start = fc.integer({ min: 1_600_000_000_000, max: 4_000_000_000_000 })
  const use = { workspace: 'ws_1', key: 'k', intent: 'mine' }
  const reserved = (reservedAt: number, intent: string): KeyRow => ({
    intent,
    package_version_id: 'pkgv_1',
    fence: 1,
    lease_until: new Date(reservedAt + leaseMs),
    free_at: new Date(reservedAt + leaseMs + refusedAfterLeaseMs),
    offer_id: null,
    short_hash: null,
  })
  const codeOf = (state: ReturnType<typeof stateOf>) =>
    state.is === 'refused' ? state.refusal.reason : state.is

  test('the state of a reservation depends on time only: lease, then 24 h, then free', () => {
    const edges = [0, leaseMs, leaseMs + refusedAfterLeaseMs]
    const after = fc.oneof(
      fc.integer({ min: -1000, max: 2 * refusedAfterLeaseMs }),
      fc.tuple(fc.constantFrom(...edges), fc.integer({ min: -2, max: 2 })).map(([edge, off]) => edge + off),
    )
    holds(
      fc.property(start, after, fc.boolean(), (reservedAt, later, mine) => {
        const state = stateOf(reserved(reservedAt, mine ? 'mine' : 'other'), use, reservedAt + later)
        const inLease = mine ? 'reserved' : 'key_reused'
        const expected =
          later < leaseMs ? inLease : later < leaseMs + refusedAfterLeaseMs ? 'reservation_expired' : 'free'
        expect(codeOf(state)).toBe(expected)
      }),
      3000,
    )
  })

  test('the state of an ended reservation has the first whole second at which the key is free', () => {
    const later = fc.integer({ min: leaseMs, max: leaseMs + refusedAfterLeaseMs - 1 })
    holds(
      fc.property(start, later, (reservedAt, after) => {
        const row = reserved(reservedAt, 'mine')
        const state = stateOf(row, use, reservedAt + after)
        if (state.is !== 'refused') throw new Error('not refused')
        const { errors } = state.refusal.body as { errors: { metadata: { free_at: string } }[] }
        const freeAt = Number(errors[0]?.metadata.free_at) * 1000
        expect(stateOf(row, use, freeAt).is).toBe('free')
        expect(stateOf(row, use, freeAt - 1000).is).toBe('refused')
      }),
    )
  })

  test('the state of a completed key never changes: the offer for its intent, a conflict for any other', () => {
    const row = {
      ...reserved(0, 'mine'),
      lease_until: null,
      free_at: null,
      offer_id: 'offer_1',
      short_hash: 'hash',
    }
    holds(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.boolean(), (now, mine) => {
        const state = stateOf({ ...row, intent: mine ? 'mine' : 'other' }, use, now)
        expect(codeOf(state)).toBe(mine ? 'replay' : 'key_reused')
        if (state.is === 'replay') {
          expect(state.offer).toEqual({ id: 'offer_1', short_hash: 'hash', replayed: true })
        }
      }),
    )
  })
})
