// docs/specification.md, R75: what can be corrected, and under which condition.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { describe, expect, test } from 'vitest'
import { type Answer, codeOf, newCustomer, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)
const seconds = () => Math.floor(running.clock.now() / 1000)
const etagOf = async (id: string) => (await running.getOffer(id)).body.etag
/** With the etag of now. */
const correct = async (id: string, body: object) => running.correct(id, await etagOf(id), body)

const everything = () => ({
  allowed_emails: ['zoe@example.com', 'Ada@Example.com', 'ada@example.com'],
  customer: { display_name: 'Globex' },
  internal_note: 'one\ntwo',
  notes: 'Welcome.',
  expires_at: seconds() + 3600,
  max_uses: 7,
})

test('each field that is sent is changed, and everything else stays', async () => {
  const { id } = await running.newOffer({
    way: 'approval',
    customer: { display_name: 'Acme', external_id: '1' },
  })
  const before = (await running.getOffer(id)).body
  const { max_uses, ...texts } = everything()
  const answer = await correct(id, { max_uses, ...texts })
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body).toEqual({
    ...before,
    ...texts,
    allowed_emails: ['ada@example.com', 'zoe@example.com'],
    seats: { max_uses, redeemed: 0, reserved: 0, available: max_uses },
    etag: expect.not.stringMatching(String(before.etag)),
  })
  expect((await running.getOffer(id)).body).toEqual(answer.body)
  const nothing = { customer: null, internal_note: null, notes: null, expires_at: null, max_uses: null }
  expect((await correct(id, { ...nothing, allowed_emails: [] })).body).toMatchObject({
    ...{ customer: null, internal_note: null, notes: null, expires_at: null, allowed_emails: [] },
    seats: { max_uses: null, available: null },
  })
})

describe('a correction is refused', () => {
  test.each<[string, object, number]>([
    ['without a field', {}, 40002],
    ['of the terms', { notes: 'x', terms: {} }, 40002],
    ['of the version', { notes: 'x', package_version_id: 'pkgv_1' }, 40002],
    ['of field values', { notes: 'x', field_values: {} }, 40002],
    ['to a time in the past', { expires_at: 1 }, 42206],
    ['to no uses', { max_uses: 0 }, 40002],
    ['of allow_api_tokens', { notes: 'x', allow_api_tokens: true }, 40002],
  ])('%s', async (_, body, code) => {
    const { id } = await running.newOffer()
    const answer = await correct(id, body)
    expect(codeOf(answer)).toEqual([Math.floor(code / 100), code])
  })

  test('where the offer is revoked, and changes nothing', async () => {
    const { id } = await running.newOffer()
    const etag = await etagOf(id)
    await running.revoke(id)
    expect(await etagOf(id)).toBe(etag)
    expect(codeOf(await running.correct(id, etag, { notes: 'x' }))).toEqual([409, 40911])
  })

  test('as not found where the offer belongs to another workspace', async () => {
    const { id } = await running.newOffer()
    const stranger = { kind: 'internal', id: 'other', workspace: 'ws_other' } as const
    const headers = { 'if-match': String(await etagOf(id)) }
    const answer = await running.ask('update_offer', stranger, {
      params: { id },
      headers,
      body: { notes: 'x' },
    })
    expect(codeOf(answer)).toEqual([404, 40402])
  })

  test('with the etag of before another correction; the answer has the current one', async () => {
    const { id } = await running.newOffer()
    const first = await etagOf(id)
    const { body } = await running.correct(id, first, { notes: 'mine' })
    const late = await running.correct(id, first, { notes: 'theirs' })
    expect(codeOf(late)).toEqual([409, 40921])
    expect(late.body.errors?.[0]?.metadata).toMatchObject({ current_etag: body.etag })
    expect((await running.getOffer(id)).body.notes).toBe('mine')
  })
})

test('a correction that was applied may be repeated with its old etag, and has one event', async () => {
  const { id } = await running.newOffer()
  const etag = await etagOf(id)
  const first = await running.correct(id, etag, { notes: 'once', max_uses: 3 })
  expect(await running.correct(id, etag, { notes: 'once', max_uses: 3 })).toEqual(first)
  expect(await running.eventTypes(id)).toEqual(['offers.created', 'offers.updated'])
})

test('the event has the numbers, and of texts only the names', async () => {
  const { id } = await running.newOffer()
  const { expires_at, ...rest } = everything()
  await correct(id, { expires_at, ...rest })
  const [, event] = await running.sql`
    select payload, changes from offers.outbox where aggregate_id = ${id} order by sequence`
  expect(event).toEqual({
    payload: {
      workspace_id: running.seller,
      changed: ['allowed_emails', 'customer', 'expires_at', 'internal_note', 'max_uses', 'notes'],
    },
    changes: { expires_at: { before: null, after: expires_at }, max_uses: { before: 1, after: 7 } },
  })
})

test('neither an order nor its completion changes the etag', async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: 3 })
  const etag = await etagOf(id)
  const customer = newCustomer()
  const order = await running.order(short_hash, customer)
  expect(await etagOf(id)).toBe(etag)
  await running.submit(order.body.id, customer)
  expect(await running.getOffer(id)).toMatchObject({ body: { etag, seats: { redeemed: 1 } } })
})

test('an exhausted offer is active with more uses, and an expired one with more time', async () => {
  const used = await running.newOffer()
  const customer = newCustomer()
  await running.submit((await running.order(used.short_hash, customer)).body.id, customer)
  expect((await running.getOffer(used.id)).body.state).toBe('exhausted')
  expect((await correct(used.id, { max_uses: 2 })).body.state).toBe('active')
  expect((await running.order(used.short_hash, newCustomer())).status).toBe(201)

  const late = await running.newOffer({ expires_at: seconds() + 60 })
  running.pass(2)
  expect((await running.getOffer(late.id)).body.state).toBe('expired')
  expect((await correct(late.id, { expires_at: seconds() + 60 })).body.state).toBe('active')
  expect((await running.order(late.short_hash, newCustomer())).status).toBe(201)
})

test('an order in progress goes on when its customer is no longer allowed', async () => {
  const { id, short_hash } = await running.newOffer({ allowed_emails: ['a@example.com'], max_uses: 2 })
  const customer = newCustomer('a@example.com')
  const order = await running.order(short_hash, customer)
  await correct(id, { allowed_emails: ['b@example.com'] })
  expect((await running.submit(order.body.id, customer)).body.state).toBe('completed')
  expect(codeOf(await running.order(short_hash, newCustomer('a@example.com')))).toEqual([403, 40306])
  expect((await running.order(short_hash, newCustomer('b@example.com'))).status).toBe(201)
})

test('uses cannot be fewer than those redeemed and reserved, also of an offer without a limit', async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: null })
  const customers = [newCustomer(), newCustomer(), newCustomer()]
  const orders = await Promise.all(customers.map(each => running.order(short_hash, each)))
  await running.submit(orders[0]?.body.id ?? '', customers[0] ?? newCustomer())
  const refused = await correct(id, { max_uses: 2 })
  expect(codeOf(refused)).toEqual([422, 42214])
  expect(refused.body.errors?.[0]).toMatchObject({ path: ['max_uses'], metadata: { min: '3' } })
  expect((await correct(id, { max_uses: 3 })).status).toBe(200)
  expect(codeOf(await running.order(short_hash, newCustomer()))).toEqual([409, 40914])
})

test('text that grows counts for the quota of bytes', async () => {
  const { id } = await running.newOffer()
  const { sql, seller } = running
  const bytes = async () => {
    const [row] =
      await sql`select sum(offer_bytes)::int as bytes from offers.quota_sums where workspace_id = ${seller}`
    return row?.bytes
  }
  const before = await bytes()
  const emails = Array.from({ length: 50 }, (_, n) => `${n}-${crypto.randomUUID()}@example.com`)
  await correct(id, { allowed_emails: emails })
  const after = await bytes()
  expect(after).toBeGreaterThan(before + 50 * 40)
  await sql`insert into offers.quota_limits (quota, workspace_id, most) values ('offer_bytes', ${seller}, ${after})`
  try {
    const refused = await correct(id, { notes: 'x'.repeat(500) })
    expect(codeOf(refused)).toEqual([422, 42212])
    expect((await running.getOffer(id)).body.notes).toBeNull()
    expect(await bytes()).toBe(after)
  } finally {
    await sql`delete from offers.quota_limits where workspace_id = ${seller}`
  }
})

const crowd = sized(20, 500)

test(`one of ${crowd} corrections with the same etag is applied`, async () => {
  const { id } = await running.newOffer()
  const etag = await etagOf(id)
  const answers = await Promise.all(
    Array.from({ length: crowd }, (_, n) => running.correct(id, etag, { notes: `${n}` })),
  )
  const applied = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
  expect(applied).toHaveLength(1)
  expect((await running.getOffer(id)).body.notes).toBe(`${applied[0]}`)
  expect(await running.eventTypes(id)).toEqual(['offers.created', 'offers.updated'])
})

test('seats stay exact while customers order and the limit goes up and down', async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: 5 })
  const orders: Promise<Answer>[] = []
  for (let n = 0; n < crowd; n++) {
    orders.push(running.order(short_hash, newCustomer()))
    if (n % 5 === 0) orders.push(correct(id, { max_uses: n % 2 === 0 ? 8 : 3 }))
  }
  await Promise.all(orders)
  const { held, max_uses } = await running.seats(id)
  expect(held).toBeLessThanOrEqual(max_uses ?? 0)
  expect(held).toBeGreaterThanOrEqual(3)
})
