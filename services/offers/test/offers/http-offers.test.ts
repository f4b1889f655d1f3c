import { nothingSent } from '@svc/contract/offers/published-offers'
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything, sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { maxScanned } from '../../src/scanned-page.ts'
import { rangePolicy } from '../catalogue.ts'
import { fields } from './offer-fields.ts'
import { made, newProduct, readAll, type Send, startHttpScene } from '../http-scene.ts'

const scene = forFile(() => startHttpScene(joinProduct))
let own: Send
let theirs: Send
beforeAll(() => {
  ;({ own, theirs } = scene)
})

async function newChannel(send: Send) {
  const product = await newProduct(send)
  const channel_id = await made(send, '/offer_channels', { product_id: product.product_id, name: 'Channel' })
  await send('POST', `/offer_channels/${channel_id}/policies`, { policy: rangePolicy, activate: true })
  return { ...product, channel_id }
}

const future = Math.floor(Date.now() / 1000) + 3600
const ids = (items: { id: string }[]) => items.map(({ id }) => id)
const expire = (id: string) =>
  scene.stack
    .sql`update offers.offers set expires_at = floor(extract(epoch from now()))::bigint where id = ${id}`

describe('GET /offers/{id}', () => {
  test('returns everything that was requested and what was resolved', async () => {
    const { product_id, channel_id, version_id } = await newChannel(own)
    const body = {
      product_id,
      offer_channel_id: channel_id,
      allowed_emails: ['Buyer@Example.com', 'a{b}@example.com'],
      field_values: { seats: { value: 3, locked: true } },
      customer: { display_name: 'Customer', external_id: 'crm-1' },
      internal_note: 'internal',
      commercial_mode: 'paid',
      pricing_request: { currency: 'eur', unit_amount: 150, interval: 'month' },
      notes: 'notes',
      expires_at: future,
      max_uses: 7,
      order_ttl_minutes: 30,
    }
    const created = await own('POST', '/offers', body)
    const { status, body: offer } = await own('GET', `/offers/${created.body.id}`)
    expect({ status, offer }).toEqual({
      status: 200,
      offer: {
        ...nothingSent,
        ...(({ max_uses, ...rest }) => rest)(body),
        id: created.body.id,
        short_hash: created.body.short_hash,
        name: expect.any(String),
        allowed_emails: body.allowed_emails.map(email => email.toLowerCase()).sort(),
        package_version_id: version_id,
        policy_number: 1,
        state: 'active',
        etag: expect.stringMatching(/^[\w-]{24}$/),
        allow_api_tokens: false,
        terms: {
          approval: 'manual',
          checkout: 'none',
          support: 'gold',
          payment_instructions: null,
          entitlements: {},
          licence_days: 30,
          grace_days: 7,
          commercial_mode: 'paid',
          price: body.pricing_request,
        },
        seats: { max_uses: 7, redeemed: 0, reserved: 0, available: 7 },
        created_by: { kind: 'api_token', id: expect.stringMatching(/^tok_/), user: null },
        created_at: expect.any(Number),
        revoked_at: null,
        warnings: [{ code: 'short_order_ttl', message: expect.stringContaining('order_ttl_minutes') }],
      },
    })
  })

  test.each(Object.keys(nothingSent))('returns %s as it was sent', async name => {
    const { product_id } = await newProduct(own)
    const value = fields.find(({ path }) => path === name)?.good.at(-1)
    const id = await made(own, '/offers', { product_id, [name]: value })
    expect((await own('GET', `/offers/${id}`)).body).toMatchObject({ [name]: value })
  })

  test('returns a minimal offer, with the defaults', async () => {
    const { version_id } = await newProduct(own)
    const id = await made(scene.owner, '/offers', {
      package_version_id: version_id,
      max_uses: null,
      tier: 't',
    })
    expect((await own('GET', `/offers/${id}`)).body).toMatchObject({
      product_id: null,
      offer_channel_id: null,
      policy_number: null,
      allowed_emails: [],
      field_values: {},
      customer: null,
      internal_note: null,
      commercial_mode: null,
      pricing_request: null,
      notes: null,
      expires_at: null,
      order_ttl_minutes: 120,
      tier: 't',
      seats: { max_uses: null, redeemed: 0, reserved: 0, available: null },
      created_by: { kind: 'session', user: expect.stringMatching(/^user_/) },
    })
  })
})

describe('POST /offers/{id}/revoke', () => {
  test('returns the same revocation time to concurrent and later requests', async () => {
    const { product_id } = await newProduct(own)
    const id = await made(own, '/offers', { product_id })
    const before = (await own('GET', `/offers/${id}`)).body
    const answers = await Promise.all(Array.from({ length: 20 }, () => own('POST', `/offers/${id}/revoke`)))
    const [first] = answers
    expect(first?.body).toEqual({ ...before, state: 'revoked', revoked_at: expect.any(Number) })
    expect(answers).toEqual(Array(20).fill({ status: 200, body: first?.body }))
    await scene.stack.sql`update offers.offers set revoked_at = to_timestamp(1000) where id = ${id}`
    expect((await own('POST', `/offers/${id}/revoke`)).body.revoked_at).toBe(1000)
  })

  test('does not change the answer to its Idempotency-Key', async () => {
    const { product_id } = await newProduct(own)
    const keyed = scene.as(scene.stack.dev.api_token, { 'idempotency-key': `key ${product_id}` })
    const first = await keyed('POST', '/offers', { product_id })
    await own('POST', `/offers/${first.body.id}/revoke`)
    expect(await keyed('POST', '/offers', { product_id })).toEqual(first)
  })
})

describe('GET /offers', () => {
  test('filters by product, channel, state and key, also combined, newest first, page by page', async () => {
    const { product_id, channel_id } = await newChannel(own)
    const other = await newChannel(own)
    const key = `key of ${product_id}`
    const keyed = scene.as(scene.stack.dev.api_token, { 'idempotency-key': key })
    const plain = []
    const inChannel = []
    for (let n = 0; n < 5; n++) {
      plain.unshift(await made(own, '/offers', { product_id }))
      inChannel.unshift(
        await made(n === 0 ? keyed : own, '/offers', { product_id, offer_channel_id: channel_id }),
      )
      await made(own, '/offers', { product_id: other.product_id, offer_channel_id: other.channel_id })
    }
    const [keyedOne = ''] = inChannel.slice(-1)
    // Ids that two replicas make in the same millisecond have no order of creation.
    inChannel.sort().reverse()
    const all = [...plain, ...inChannel].sort().reverse()
    const [revoked = '', expired = '', both = ''] = inChannel.filter(id => id !== keyedOne)
    for (const id of [revoked, both]) await own('POST', `/offers/${id}/revoke`)
    for (const id of [expired, both]) await expire(id)
    const list = async (filter: Record<string, string>, limit?: number) =>
      ids(await readAll(own, `/offers?${new URLSearchParams(filter)}`, limit))
    const offer_channel_id = channel_id

    expect(await list({ product_id })).toEqual(all)
    expect(await list({ product_id }, 10)).toEqual(all)
    expect(await list({ offer_channel_id })).toEqual(inChannel)
    expect(await list({ product_id, offer_channel_id }, 1)).toEqual(inChannel)
    expect(await list({ product_id: other.product_id, offer_channel_id })).toEqual([])
    expect(await list({ product_id, state: 'revoked' })).toEqual([revoked, both])
    expect(await list({ product_id, state: 'expired' })).toEqual([expired])
    expect(await list({ product_id, state: 'exhausted' })).toEqual([])
    expect(await list({ offer_channel_id, state: 'active' })).toEqual(
      inChannel.filter(id => ![revoked, expired, both].includes(id)),
    )
    expect(await list({ product_id, state: 'active' })).toEqual(
      all.filter(id => ![revoked, expired, both].includes(id)),
    )
    expect(await list({ idempotency_key: key })).toEqual([keyedOne])
    expect(await list({ idempotency_key: key, product_id, offer_channel_id, state: 'active' })).toEqual([
      keyedOne,
    ])
    expect(await list({ idempotency_key: key, state: 'revoked' })).toEqual([])
    expect(await list({ idempotency_key: 'another' })).toEqual([])
    const whole = await list({}, 100)
    expect(whole.slice(0, 15).filter(id => all.includes(id))).toEqual(all)
    const foreign = await theirs(
      'GET',
      `/offers?${new URLSearchParams({ idempotency_key: key, product_id })}`,
    )
    expect(foreign.body.data).toEqual([])
  })

  test('returns each offer as GET /offers/{id} does, without the fields that may be large', async () => {
    const { product_id } = await newProduct(own)
    const field_values = { seats: { value: 1, locked: false } }
    const id = await made(own, '/offers', { product_id, field_values, internal_note: 'note', max_uses: 2 })
    const [item] = (await own('GET', `/offers?product_id=${product_id}`)).body.data
    expect((await own('GET', `/offers/${id}`)).body).toMatchObject(item ?? {})
    expect(item).toMatchObject({ internal_note: 'note', seats: { max_uses: 2, available: 2 } })
    expect(item).not.toHaveProperty('field_values')
  })

  test('finds few offers in a state among very many, in bounded pages', async () => {
    const { version_id, product_id } = await newProduct(own)
    const { sql, dev } = scene.stack
    // More than one page scans.
    const many = sized(maxScanned + 1000, 12_000)
    const first = await made(own, '/offers', { product_id })
    // After the first id and before the next one: ids sort by time, then by random characters, of which these are the highest.
    const prefix = `${first.slice(0, -12)}zzzz`
    await sql`
      insert into offers.offers (id, workspace_id, short_hash, product_id, package_version_id, allowed_emails,
        field_values, terms, max_uses, order_ttl_minutes, created_by, created_at, expires_at)
      select ${prefix} || lpad(n::text, 8, '0'), ${dev.workspace_id}, 'many' || n, ${product_id}, ${version_id}, '{}', '{}',
        (select terms from offers.offers where id = ${first}), 1, 120, '{"kind":"internal","id":"test"}', now(), 1
      from generate_series(1, ${many}) n`
    const path = `/offers?product_id=${product_id}&state=active`
    const { body } = await own('GET', path)
    expect(body.data).toEqual([])
    expect(body.next_cursor).toEqual(expect.any(String))
    expect(ids(await readAll(own, path))).toEqual([first])
    // The others fill many pages, as in any list.
    const all = `/offers?product_id=${product_id}&state=expired`
    if (everything) expect(await readAll(own, all, 100)).toHaveLength(many)
    else expect((await own('GET', `${all}&limit=100`)).body.data).toHaveLength(100)
  })
})
