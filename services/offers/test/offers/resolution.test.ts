// docs/specification.md, R23, R26 and R27: which version and channel an offer gets, in which workspace, and what is stored.
import { nothingSent } from '@svc/contract/offers/published-offers'
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Catalogue, catalogue, fixedPolicy, overBus, rangePolicy } from '../catalogue.ts'
import { type Post, patientPoster, summaryOf } from '../http.ts'

type Body = { [property: string]: unknown }
type Versions = Awaited<ReturnType<Catalogue['twoVersions']>>

const stack = forFile(joinProduct)
let own: Catalogue
let theirs: Catalogue
let post: Post
let made: Versions
let foreign: Versions

beforeAll(async () => {
  const { dev, backoffice, baseUrls } = stack
  own = catalogue(overBus(backoffice, dev.workspace_id))
  theirs = catalogue(overBus(backoffice, dev.other_workspace_id))
  post = patientPoster(baseUrls[0] ?? '', dev.api_token)
  made = await own.twoVersions()
  foreign = await theirs.twoVersions()
})

const stored = async (body: object) => {
  const answer = await post(body)
  expect(summaryOf(answer)).toEqual([201])
  const [row] = await stack.sql`select * from offers.offers where id = ${answer.body.id ?? ''}`
  return row ?? {}
}
const refusal = (...problems: [number, string][]) => [422, ...problems]

describe('the version', () => {
  test("is the product's current one", async () => {
    const { product_id, first, second } = await own.twoVersions()
    expect(await stored({ product_id })).toMatchObject({ product_id, package_version_id: first })
    await own.pin(product_id, second)
    expect(await stored({ product_id })).toMatchObject({ product_id, package_version_id: second })
  })

  test("is the one that is sent, whatever the product's current version", async () => {
    const { product_id, second } = made
    const row = await stored({ product_id, package_version_id: second })
    expect(row).toMatchObject({ product_id, package_version_id: second })
    expect(await stored({ package_version_id: second })).toMatchObject({
      product_id: null,
      package_version_id: second,
    })
  })

  test('is the one that is sent even if the product has none', async () => {
    const product_id = await own.product(made.package_id)
    expect(summaryOf(await post({ product_id }))).toEqual(refusal([42202, 'product_id']))
    const row = await stored({ product_id, package_version_id: made.first })
    expect(row).toMatchObject({ package_version_id: made.first })
  })

  test("the version of a package other than the product's is refused, but accepted without the product", async () => {
    const package_version_id = await own.version(await own.package())
    const { product_id } = made
    expect(summaryOf(await post({ product_id, package_version_id }))).toEqual(
      refusal([42203, 'package_version_id']),
    )
    await stored({ package_version_id })
  })
})

describe('ids of another workspace are answered exactly like unknown ones', () => {
  const unknown = {
    product_id: newId('prod'),
    package_version_id: newId('pkgv'),
    offer_channel_id: newId('och'),
  }

  test.each<[string, (ids: typeof unknown) => Body]>([
    ['product_id', ({ product_id }) => ({ product_id })],
    ['product_id with a version', ({ product_id }) => ({ product_id, package_version_id: made.first })],
    ['package_version_id', ({ package_version_id }) => ({ package_version_id })],
    ['package_version_id with a product', ({ package_version_id }) => ({ ...made, package_version_id })],
    ['offer_channel_id', ({ offer_channel_id }) => ({ ...made, offer_channel_id })],
    [
      'product_id and package_version_id',
      ({ product_id, package_version_id }) => ({ product_id, package_version_id }),
    ],
    [
      'product_id and offer_channel_id',
      ({ product_id, offer_channel_id }) => ({ product_id, offer_channel_id }),
    ],
    ['all three', ids => ids],
  ])('%s', async (_, choose) => {
    const offer_channel_id = await theirs.channel(foreign.product_id, rangePolicy)
    const existing = { product_id: foreign.product_id, package_version_id: foreign.first, offer_channel_id }
    const body = (ids: typeof unknown) => {
      const { product_id, package_version_id, offer_channel_id } = choose(ids)
      return { product_id, package_version_id, offer_channel_id }
    }
    const asUnknown = await post(body(unknown))
    expect(asUnknown.status).toBe(422)
    expect(new Set(summaryOf(asUnknown).flat())).toContain(42201)
    expect(await post(body(existing))).toEqual(asUnknown)
    const key = newId('prod')
    expect(await post(body(existing), { key })).toEqual(asUnknown)
  })

  test('every unknown id is listed', async () => {
    expect(summaryOf(await post(unknown))).toEqual(
      refusal([42201, 'product_id'], [42201, 'package_version_id'], [42201, 'offer_channel_id']),
    )
  })

  test('our ids are unknown to the other workspace', async () => {
    const { dev, baseUrls } = stack
    const asOther = patientPoster(baseUrls[0] ?? '', dev.other_api_token)
    expect(summaryOf(await asOther({ product_id: made.product_id }))).toEqual(refusal([42201, 'product_id']))
  })
})

describe('the channel', () => {
  test.each<[string, () => Promise<string>, number]>([
    ['of another product', async () => own.channel((await own.twoVersions()).product_id, rangePolicy), 42204],
    ['that is inactive', () => own.channel(made.product_id, rangePolicy, 'inactive'), 42205],
    ['that has no policy yet', () => own.channel(made.product_id), 42205],
  ])('%s is refused', async (_, make, code) => {
    const offer_channel_id = await make()
    const body = { product_id: made.product_id, offer_channel_id }
    expect(summaryOf(await post(body))).toEqual(refusal([code, 'offer_channel_id']))
    expect(summaryOf(await post(body, { key: offer_channel_id }))).toEqual(
      refusal([code, 'offer_channel_id']),
    )
  })

  test('applies the policy that is active at that moment', async () => {
    const offer_channel_id = await own.channel(made.product_id, rangePolicy)
    const body = { product_id: made.product_id, offer_channel_id }
    expect(await stored(body)).toMatchObject({ policy_number: 1, terms: { approval: 'manual' } })
    await own.policy(offer_channel_id, fixedPolicy)
    expect(await stored(body)).toMatchObject({ policy_number: 2, terms: { approval: 'automatic' } })
  })
})

test('the row has what was sent, normalised, and who sent it', async () => {
  const { product_id, first } = made
  const offer_channel_id = await own.channel(product_id, rangePolicy)
  const sent = {
    product_id,
    offer_channel_id,
    allowed_emails: ['Zoe@Example.com', 'ada@example.com', 'zoe@example.COM', 'ADA@example.com'],
    field_values: { region: { value: 'eu', locked: true } },
    customer: { display_name: 'Ada 😀', external_id: 'crm-1' },
    internal_note: 'nobody else reads this',
    commercial_mode: 'paid',
    pricing_request: { currency: 'eur', unit_amount: 123, interval: 'month' },
    notes: 'wel\tcome\n',
    expires_at: 4_102_444_800,
    max_uses: 10,
    order_ttl_minutes: 5,
  }
  const before = Date.now()
  const { status, body } = await post(sent)
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^offer_[0-9a-z]{26}$/),
    short_hash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{12}$/),
  })
  const [row] = await stack.sql`select * from offers.offers where id = ${body.id ?? ''}`
  expect(row).toEqual({
    ...nothingSent,
    ...sent,
    ...body,
    workspace_id: stack.dev.workspace_id,
    package_version_id: first,
    policy_number: 1,
    allowed_emails: ['ada@example.com', 'zoe@example.com'],
    expires_at: String(sent.expires_at),
    allow_api_tokens: null,
    revoked_at: null,
    redeemed: null,
    cancelling: null,
    words: expect.stringContaining("wel'"),
    terms: {
      approval: 'manual',
      checkout: 'none',
      support: 'gold',
      payment_instructions: null,
      entitlements: {},
      licence_days: 30,
      grace_days: 7,
      commercial_mode: 'paid',
      price: sent.pricing_request,
    },
    created_by: { kind: 'api_token', id: expect.stringMatching(/^tok_/) },
    created_at: expect.any(Date),
  })
  expect(Number(row?.created_at)).toBeGreaterThanOrEqual(before)
  expect(Number(row?.created_at)).toBeLessThanOrEqual(Date.now())
})

test('a preview answers what is created right after it, and refuses what is refused', async () => {
  const offer_channel_id = await own.channel(made.product_id, rangePolicy)
  const body = { product_id: made.product_id, offer_channel_id, order_ttl_minutes: 5 }
  const { dev, baseUrls, sql } = stack
  const preview = async (sent: object) => {
    const response = await fetch(`${baseUrls[0]}/offers/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dev.api_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    return { status: response.status, body: await response.json() }
  }
  const [before] = await sql`select count(*) from offers.offers where product_id = ${made.product_id}`
  const previewed = await preview(body)
  expect(await sql`select count(*) from offers.offers where product_id = ${made.product_id}`).toEqual([
    before,
  ])
  const { package_version_id, policy_number, terms } = await stored(body)
  expect(previewed).toEqual({
    status: 200,
    body: {
      ...{ package_version_id, policy_number, terms },
      warnings: [expect.objectContaining({ code: 'short_order_ttl' })],
    },
  })
  const dear = { ...body, pricing_request: { currency: 'eur', unit_amount: 99_999_999, interval: 'month' } }
  expect(await preview(dear)).toEqual({ status: 422, body: (await post(dear)).body })
})
