// docs/specification.md, R28 to R33: what is the same intent, what is not, and what frees a key.
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Catalogue, catalogue, insertUnseenVersion, overBus, rangePolicy } from '../../catalogue.ts'
import { type Post, patientPoster, summaryOf } from '../../http.ts'

type Body = { [property: string]: unknown }

const stack = forFile(joinProduct)
let own: Catalogue
let post: Post
let postOther: Post
let product_id: string
let package_id: string
let keys = 0
const newKey = () => `intent-${++keys}`

beforeAll(async () => {
  const { dev, backoffice, baseUrls } = stack
  own = catalogue(overBus(backoffice, dev.workspace_id))
  post = patientPoster(baseUrls[0] ?? '', dev.api_token)
  postOther = patientPoster(baseUrls[0] ?? '', dev.other_api_token)
  ;({ product_id, package_id } = await own.twoVersions())
})

const keyRows = async (key: string) =>
  stack.sql`select * from offers.idempotency_keys where key = ${key} order by workspace_id`
const offersOf = async (product: string) =>
  stack.sql`select * from offers.offers where product_id = ${product} order by id`

const conflict = [409, [40901, 'Idempotency-Key']]

/** A request with every property of the variant. */
const full = (): Body => ({
  product_id,
  allowed_emails: ['a@example.com', 'b@example.com'],
  field_values: {
    region: { value: 'eu', locked: true },
    anything: { value: { list: [1, 2], map: { x: null } }, locked: false },
  },
  customer: { display_name: 'Ada', external_id: 'crm-1' },
  internal_note: 'internal',
  commercial_mode: 'paid',
  pricing_request: { currency: 'eur', unit_amount: 100, interval: 'month' },
  notes: 'notes',
  expires_at: 4_102_444_800,
  max_uses: 2,
  order_ttl_minutes: 60,
  tier: 'gold',
})

test('the first answer is not marked as replayed, every later one for the same request is', async () => {
  const key = newKey()
  const first = await post(full(), { key })
  expect(first).toMatchObject({ status: 201, replayed: null })
  const again = { ...first, replayed: 'true' }
  expect(await post(full(), { key })).toEqual(again)
  expect(await post(full(), { key })).toEqual(again)
  expect(await keyRows(key)).toMatchObject([{ offer_id: first.body.id, short_hash: first.body.short_hash }])
})

test('without a key every request creates an offer', async () => {
  const ids = [await post(full()), await post(full())].map(({ body }) => body.id)
  expect(new Set(ids).size).toBe(2)
})

describe('the same intent is', () => {
  const inReverse = (value: unknown): unknown => {
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, inner]) => [name, inReverse(inner)])
    return Object.fromEntries(entries.reverse())
  }
  const emails = (allowed_emails: string[]) => ({ product_id, allowed_emails })

  test.each<[string, () => [sent: Body, again: Body | string]]>([
    ['keys in a different order, at every level', () => [full(), inReverse(full()) as Body]],
    ['different white space', () => [full(), JSON.stringify(full(), null, '\t\n ')]],
    ['escaped characters', () => [full(), JSON.stringify(full()).replace('notes"', 'not\\u0065s"')]],
    ['numbers in another notation', () => [full(), JSON.stringify(full()).replace(':100', ':1.00e2')]],
    ['max_uses 1 instead of nothing', () => [{ product_id }, { product_id, max_uses: 1 }]],
    ['allow_api_tokens false for none', () => [{ product_id }, { product_id, allow_api_tokens: false }]],
    ['order_ttl_minutes 120 for none', () => [{ product_id }, { product_id, order_ttl_minutes: 120 }]],
    ['no addresses for none', () => [{ product_id }, { product_id, allowed_emails: [] }]],
    ['no field values for none', () => [{ product_id }, { product_id, field_values: {} }]],
    [
      'nothing instead of explicit defaults',
      () => [{ product_id, max_uses: 1, allowed_emails: [] }, { product_id }],
    ],
    ['addresses in another case', () => [emails(['Ada@Example.com']), emails(['aDA@eXAMPLE.COM'])]],
    ['addresses in another order', () => [emails(['a@b.c', 'd@e.f']), emails(['d@e.f', 'a@b.c'])]],
    ['addresses that are repeated', () => [emails(['a@b.c']), emails(['a@b.c', 'A@B.C', 'a@b.c'])]],
  ])('%s', async (_, bodies) => {
    const key = newKey()
    const [sent, again] = bodies()
    const first = await post(sent, { key })
    expect(first.status).toBe(201)
    expect(await post(again, { key })).toEqual({ ...first, replayed: 'true' })
  })
})

describe('another intent, refused with 409, is', () => {
  const changes: [property: string, change: () => Body][] = [
    ['product_id', () => ({ product_id: 'prod_other' })],
    ['package_version_id', () => ({ package_version_id: 'pkgv_other' })],
    ['offer_channel_id', () => ({ offer_channel_id: 'och_other', tier: undefined })],
    ['allowed_emails', () => ({ allowed_emails: ['a@example.com'] })],
    ['allowed_emails, none', () => ({ allowed_emails: undefined })],
    ['field_values', () => ({ field_values: {} })],
    ['field_values, a value', () => ({ field_values: { region: { value: 'us', locked: true } } })],
    ['field_values, locked', () => ({ field_values: { region: { value: 'eu', locked: false } } })],
    ['customer', () => ({ customer: undefined })],
    ['customer.display_name', () => ({ customer: { display_name: 'ada', external_id: 'crm-1' } })],
    ['customer.external_id', () => ({ customer: { display_name: 'Ada' } })],
    ['internal_note', () => ({ internal_note: 'Internal' })],
    ['internal_note, empty', () => ({ internal_note: '' })],
    ['commercial_mode', () => ({ commercial_mode: 'non_billable_test' })],
    ['commercial_mode, none', () => ({ commercial_mode: undefined })],
    ['pricing_request', () => ({ pricing_request: undefined })],
    ['unit_amount', () => ({ pricing_request: { currency: 'eur', unit_amount: 101, interval: 'month' } })],
    ['currency', () => ({ pricing_request: { currency: 'usd', unit_amount: 100, interval: 'month' } })],
    ['interval', () => ({ pricing_request: { currency: 'eur', unit_amount: 100, interval: 'year' } })],
    ['notes', () => ({ notes: 'notes ' })],
    ['expires_at', () => ({ expires_at: 4_102_444_801 })],
    ['expires_at, none', () => ({ expires_at: undefined })],
    ['max_uses', () => ({ max_uses: 3 })],
    ['max_uses, null', () => ({ max_uses: null })],
    ['order_ttl_minutes', () => ({ order_ttl_minutes: 61 })],
    ['tier', () => ({ tier: 'silver' })],
    ['tier, none', () => ({ tier: undefined })],
    ['allow_api_tokens', () => ({ allow_api_tokens: true })],
  ]

  test.each(changes)('%s', async (_, change) => {
    const key = newKey()
    const first = await post(full(), { key })
    expect(first.status).toBe(201)
    expect(summaryOf(await post({ ...full(), ...change() }, { key }))).toEqual(conflict)
    expect(await post(full(), { key })).toEqual({ ...first, replayed: 'true' })
  })

  test('max_uses null instead of nothing, and the reverse', async () => {
    const bodies = [{ product_id }, { product_id, max_uses: null }]
    for (const [first, second] of [bodies, bodies.toReversed()]) {
      const key = newKey()
      expect((await post(first, { key })).status).toBe(201)
      expect(summaryOf(await post(second, { key }))).toEqual(conflict)
    }
  })

  test('naming the version that the product resolves to', async () => {
    const { first, ...made } = await own.twoVersions()
    const key = newKey()
    expect((await post({ product_id: made.product_id }, { key })).status).toBe(201)
    const named = { product_id: made.product_id, package_version_id: first }
    expect(summaryOf(await post(named, { key }))).toEqual(conflict)
  })
})

describe('a key', () => {
  test('belongs to its workspace', async () => {
    const theirs = catalogue(overBus(stack.backoffice, stack.dev.other_workspace_id))
    const key = newKey()
    const first = await post({ product_id }, { key })
    const other = await postOther({ product_id: (await theirs.twoVersions()).product_id }, { key })
    expect(other).toMatchObject({ status: 201, replayed: null })
    expect(other.body.id).not.toBe(first.body.id)
    expect(await keyRows(key)).toHaveLength(2)
  })

  test('is shared by all credentials of the workspace: a token, and a member with a session', async () => {
    const { dev, baseUrls } = stack
    const asMember = patientPoster(baseUrls[0] ?? '', dev.member.session_token)
    const key = newKey()
    const first = await post({ product_id }, { key })
    const again = await asMember({ product_id }, { key, headers: { 'svc-context': dev.workspace_id } })
    expect(again).toEqual({ ...first, replayed: 'true' })
  })

  test.each([
    ['1 character', 'k'],
    ['64 characters', 'k'.repeat(64)],
    ['64 characters of two bytes each', Buffer.from('é'.repeat(64)).toString('latin1')],
    ['characters that mean something elsewhere', `'";\\--%00 {}*>.`],
    ['characters beyond ASCII', '\u00e9\u00ff'],
  ])('may be of %s', async (_, key) => {
    const first = await post({ product_id, notes: key }, { key })
    expect(first).toMatchObject({ status: 201, replayed: null })
    expect(await post({ product_id, notes: key }, { key })).toEqual({ ...first, replayed: 'true' })
  })

  test('is case-sensitive', async () => {
    const ids = [await post({ product_id }, { key: 'Case' }), await post({ product_id }, { key: 'case' })]
    expect(new Set(ids.map(({ body }) => body.id)).size).toBe(2)
  })

  test.each([
    ['65 characters', 'k'.repeat(65)],
    ['none', ''],
  ])('a key of %s is 400 and creates nothing', async (_, key) => {
    const made = await own.twoVersions()
    expect(summaryOf(await post({ product_id: made.product_id }, { key }))).toEqual([
      400,
      [40003, 'Idempotency-Key'],
    ])
    expect(await offersOf(made.product_id)).toEqual([])
  })
})

describe('the original offer is still the answer', () => {
  test('after the product has moved on to another version', async () => {
    const made = await own.twoVersions()
    const key = newKey()
    const body = { product_id: made.product_id }
    const first = await post(body, { key })
    await own.pin(made.product_id, made.second)
    expect(await post(body, { key })).toEqual({ ...first, replayed: 'true' })
    expect(await offersOf(made.product_id)).toMatchObject([{ package_version_id: made.first }])
  })

  test('after its channel has become inactive, and after its policy refuses the price', async () => {
    const channel = await own.channel(product_id, rangePolicy)
    const pricing_request = { currency: 'eur', unit_amount: 150, interval: 'month' }
    const body = { product_id, offer_channel_id: channel, pricing_request }
    const key = newKey()
    const first = await post(body, { key })
    expect(first.status).toBe(201)
    await own.policy(channel, {
      ...rangePolicy,
      pricing: { ...rangePolicy.pricing, max_unit_amount: 149 } as never,
    })
    expect(summaryOf(await post(body))).toEqual([422, [42207, 'pricing_request.unit_amount']])
    expect(await post(body, { key })).toEqual({ ...first, replayed: 'true' })
    await own.setStatus(channel, 'inactive')
    expect(summaryOf(await post(body))).toEqual([422, [42205, 'offer_channel_id']])
    expect(await post(body, { key })).toEqual({ ...first, replayed: 'true' })
  })
})

describe('a refusal frees the key', () => {
  const retried = async (key: string, body: Body) => {
    expect(await keyRows(key)).toEqual([])
    expect(await post(body, { key })).toMatchObject({ status: 201, replayed: null })
  }

  test('400', async () => {
    const key = newKey()
    expect((await post({ product_id, max_uses: 0 }, { key })).status).toBe(400)
    await retried(key, { product_id })
  })

  test('403', async () => {
    const key = newKey()
    const headers = { 'svc-context': stack.dev.other_workspace_id }
    expect((await post({ product_id }, { key, headers })).status).toBe(403)
    await retried(key, { product_id })
  })

  test.each([
    ['that is compiled', (id: string) => own.version(id)],
    [
      'that no process has compiled',
      (id: string) => insertUnseenVersion(stack.sql, stack.dev.workspace_id, id),
    ],
  ])('422, with a schema %s', async (_, publish) => {
    const key = newKey()
    const product = await own.product(package_id, await publish(package_id))
    const body = (value: string) => ({
      product_id: product,
      field_values: { region: { value, locked: true } },
    })
    expect((await post(body('nowhere'), { key })).status).toBe(422)
    await retried(key, body('eu'))
  })

  test('422, with an explicit version', async () => {
    const key = newKey()
    expect((await post({ package_version_id: 'pkgv_none' }, { key })).status).toBe(422)
    await retried(key, { product_id })
  })
})
