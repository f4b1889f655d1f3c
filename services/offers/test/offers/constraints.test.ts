// docs/specification.md, R22: every property of every variant, both sides of every limit. What is refused is refused by
// parseInput, before anything is read, so only what is accepted is sent to the product.
import { forFile } from '@svc/testing/for-file'
import { ApiError, type ErrorEntry, errorBody } from '@svc/contract/core/errors'
import { parseInput } from '@svc/contract/core/validate'
import { offers } from '@svc/contract/offers/offers'
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalogue, overBus } from '../catalogue.ts'
import { type Post, patientPoster, problemsIn, summaryOf } from '../http.ts'
import { fields, letters, price, type Variant, variants } from './offer-fields.ts'

type Body = { [property: string]: unknown }

const stack = forFile(joinProduct)
let post: Post
let bases: Record<Variant, Body>

beforeAll(async () => {
  const { dev, backoffice, baseUrls } = stack
  post = patientPoster(baseUrls[0] ?? '', dev.api_token)
  const { product_id, package_version_id } = dev
  const offer_channel_id = await catalogue(overBus(backoffice, dev.workspace_id)).channel(product_id, {
    approval: 'automatic',
    checkout: 'none',
    support: null,
    payment_instructions: null,
    entitlements: {},
    licence_days: 30,
    grace_days: 7,
    pricing: {
      kind: 'range',
      currencies: ['eur', 'usd'],
      intervals: ['month', 'year'],
      min_unit_amount: 0,
      max_unit_amount: 100_000_000,
      default_price: price,
    },
    allow_non_billable_test: true,
    default_commercial_mode: 'paid',
  })
  bases = { A: { product_id }, B: { package_version_id }, C: { product_id, offer_channel_id } }
})

/** Valid values around the one under test. */
const surroundings: Body = { customer: { display_name: 'Ada' }, pricing_request: price }

function put(body: Body, path: string, value: unknown): Body {
  const [name = '', inside] = path.split('.')
  if (inside === undefined) return { ...body, [name]: value }
  return { ...body, [name]: { ...(surroundings[name] as Body), [inside]: value } }
}

/** Ids of what need not exist. */
const unread: Record<Variant, Body> = {
  A: { product_id: 'prod_1' },
  B: { package_version_id: 'pkgv_1' },
  C: { product_id: 'prod_1', offer_channel_id: 'och_1' },
}

/** How a request with this body is refused; the body is as JSON carries it. */
function refusalOf(body: Body, headers = {}): unknown[] {
  const input = { params: {}, query: new URLSearchParams(), headers, body: JSON.parse(JSON.stringify(body)) }
  try {
    parseInput(offers.operations.create_offer, input)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, ...problemsIn((error.body as { errors: ErrorEntry[] }).errors)]
  }
  return ['accepted']
}

async function outcomes(bodies: Body[]): Promise<unknown[]> {
  const all: unknown[] = []
  for (let at = 0; at < bodies.length; at += 8) {
    all.push(...(await Promise.all(bodies.slice(at, at + 8).map(async body => summaryOf(await post(body))))))
  }
  return all
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60)
/** Each outcome beside what was sent, so that a failure shows the value. */
const beside = (values: unknown[], results: unknown[]) =>
  values.map((value, at) => [shown(value), results[at]])

/** Every field in every variant. */
const cases = fields.flatMap((field, at) =>
  field.variants.map((variant, turn) => ({ ...field, variant, inTurn: turn === at % field.variants.length })),
)
/** In `npm test` in one variant, which rotates. */
const stored = cases.filter(({ inTurn }) => everything || inTurn)

describe('values that the tables allow are accepted, up to the limit', () => {
  test.each(stored)('variant $variant, $path', async ({ variant, path, good, goodCode }) => {
    const results = await outcomes(good.map(value => put(bases[variant], path, value)))
    const expected = goodCode ? [422, [goodCode, path]] : [201]
    expect(beside(good, results)).toEqual(
      beside(
        good,
        good.map(() => expected),
      ),
    )
  })
})

describe('values that they do not allow are 400 with the path of the field, from just past the limit', () => {
  test.each(cases)('variant $variant, $path', ({ variant, path, bad, badAt = [] }) => {
    const all: [string, unknown][] = [...bad.map((value): [string, unknown] => [path, value]), ...badAt]
    const values = all.map(([, value]) => value)
    const results = values.map(value => refusalOf(put(unread[variant], path, value)))
    const expected = all.map(([where]) => [400, [40002, where]])
    expect(beside(values, results)).toEqual(beside(values, expected))
  })
})

describe('every variant has its own properties and no others', () => {
  const invalid = (...paths: string[]) => [400, ...paths.map(path => [40002, path])]

  test.each(variants)('%s refuses an unknown property', variant => {
    const names = ['x', 'id', 'short_hash', 'workspace_id', 'terms', 'Notes', '', 'constructor', 'toString']
    const results = names.map(name => refusalOf({ ...unread[variant], [name]: 'x' }))
    expect(beside(names, results)).toEqual(
      beside(
        names,
        names.map(name => invalid(name)),
      ),
    )
  })

  test('__proto__ is refused at any level', async () => {
    const body = (inside: string) => `{"product_id":"p","customer":{"display_name":"x"${inside}}}`
    expect(summaryOf(await post('{"product_id":"p","__proto__":{}}'))).toEqual(invalid('__proto__'))
    expect(summaryOf(await post(body(',"__proto__":1')))).toEqual(invalid('customer.__proto__'))
  })

  test('without a product and without a version, product_id is missing', () => {
    expect(refusalOf({})).toEqual(invalid('product_id'))
    expect(refusalOf({ notes: 'x', tier: 'gold' })).toEqual(invalid('product_id'))
  })

  test('a channel requires a product, even with a version', () => {
    const { offer_channel_id } = unread.C
    expect(refusalOf({ offer_channel_id })).toEqual(invalid('product_id'))
    expect(refusalOf({ offer_channel_id, ...unread.B })).toEqual(invalid('product_id'))
  })

  test('a channel excludes a tier', () => {
    expect(refusalOf({ ...unread.C, tier: 'gold' })).toEqual(invalid('tier'))
    expect(refusalOf({ ...unread.C, tier: '' })).toEqual(invalid('tier'))
  })

  test('a version may come with a product, in A and in C', async () => {
    expect(
      await outcomes([
        { ...bases.A, ...bases.B, tier: 'gold' },
        { ...bases.C, ...bases.B },
      ]),
    ).toEqual([[201], [201]])
  })
})

describe('the body is one JSON object', () => {
  test.each(['null', '[]', '"x"', '1', 'true', '[{"product_id":"p"}]'])('%s is not', async body => {
    const answer = await post(body)
    expect(summaryOf(answer).slice(0, 2)).toEqual([400, [40002, expect.any(String)]])
    expect(answer.body.errors?.[0]?.path).toEqual(body.startsWith('[') ? expect.any(Array) : [])
  })

  test.each(['', ' ', '{', '{"product_id":}', '{"a":1,}', "{'a':1}", '{"product_id":"p"}x', 'NaN'])(
    '%j is empty or not JSON',
    async body => {
      const { status, body: answer } = await post(body)
      expect([status, answer._tag, answer.errors?.length]).toEqual([400, 'Validation', 1])
    },
  )

  test.each([
    ['U+0000', '\\u0000'],
    ['half of a surrogate pair', '\\ud83d'],
  ])('%s cannot be stored, and is refused', async (_, escaped) => {
    const body = JSON.stringify({ ...bases.A, notes: '@' }).replace('@', escaped)
    expect(summaryOf(await post(body))).toEqual([400, [40002, 'notes']])
  })
})

describe('headers', () => {
  const badHeader = (path: string) => [400, [40003, path]]

  test('a Svc-Context of 53 characters is well-formed; one of 54 characters or none is not', async () => {
    const context = (value: string) => post(bases.A, { headers: { 'svc-context': value } })
    expect(summaryOf(await context(`ws_${letters(50)}`))).toEqual([403, [40302, '']])
    expect(summaryOf(await context(`ws_${letters(51)}`))).toEqual(badHeader('Svc-Context'))
    expect(summaryOf(await context(''))).toEqual(badHeader('Svc-Context'))
    expect(summaryOf(await context(stack.dev.workspace_id))).toEqual([201])
  })
})

describe('a refusal lists every problem', () => {
  test('problems of headers and body are listed together, each with its path', () => {
    const body = {
      ...unread.C,
      tier: 'gold',
      allowed_emails: ['no', 'a@b.c', 'neither'],
      field_values: { region: { value: 1 }, seats: { locked: 1 } },
      customer: { display_name: '', external_id: '', vip: true },
      pricing_request: { currency: 'chf', unit_amount: -1 },
      notes: letters(501),
      expires_at: 0,
      max_uses: 0,
      order_ttl_minutes: 1441,
      other: 1,
    }
    const [status, ...problems] = refusalOf(body, { 'idempotency-key': letters(65) })
    expect(status).toBe(400)
    expect(problems.sort()).toEqual(
      [
        [40003, 'Idempotency-Key'],
        ...[
          'allowed_emails.0',
          'allowed_emails.2',
          'customer.display_name',
          'customer.external_id',
          'customer.vip',
          'expires_at',
          'field_values.region.locked',
          'field_values.seats.locked',
          'field_values.seats.value',
          'max_uses',
          'notes',
          'order_ttl_minutes',
          'other',
          'pricing_request.currency',
          'pricing_request.interval',
          'pricing_request.unit_amount',
          'tier',
        ].map(path => [40002, path]),
      ].sort(),
    )
  })

  test('in the documented envelope, with a sentence that names the field', async () => {
    const { body } = await post({ ...bases.A, max_uses: 0 })
    expect(errorBody('Validation').parse(body)).toEqual(body)
    expect(body.errors).toEqual([
      {
        code: 40002,
        path: ['max_uses'],
        message: 'max_uses must be at least 1.',
        metadata: { doc_url: '/docs/errors#40002' },
      },
    ])
  })
})

describe('omitted properties are stored with their defaults', () => {
  const rowOf = async (body: Body) => {
    const { id = '' } = (await post(body)).body
    const [row] = await stack.sql`
      select max_uses, order_ttl_minutes, allowed_emails, field_values, expires_at, notes, tier, customer
      from offers.offers where id = ${id}`
    return row
  }

  test('max_uses 1, order_ttl_minutes 120, open to everyone, no expiry', async () => {
    expect(await rowOf(bases.A)).toEqual({
      max_uses: 1,
      order_ttl_minutes: 120,
      allowed_emails: [],
      field_values: {},
      expires_at: null,
      notes: null,
      tier: null,
      customer: null,
    })
  })

  test('max_uses null is unlimited, and not the default', async () => {
    expect(await rowOf({ ...bases.A, max_uses: null })).toMatchObject({ max_uses: null })
  })
})
