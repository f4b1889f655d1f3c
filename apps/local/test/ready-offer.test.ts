import { createClient } from '@svc/client/client'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readyOffer } from '../src/ready-offer.ts'

let running: Product
beforeAll(async () => {
  running = await joinProduct()
})
afterAll(() => running?.stop())

const { signal } = new AbortController()
const ready = () => readyOffer(running.dev, signal)
const offers = () => createClient({ baseUrl: running.dev.base_url, token: running.dev.api_token }).offers

test('a later start finds the offer of the first, and replaces it once it is revoked', async () => {
  const link = await ready()
  expect(await ready()).toBe(link)
  const { body } = await offers().list_offers({ query: { idempotency_key: 'npm-start-1' } })
  const [first] = body.data
  expect(link).toBe(new URL(`/i/${first?.short_hash}`, running.dev.base_url).href)
  expect((await fetch(link)).status).toBe(200)
  await offers().revoke_offer({ params: { id: first?.id ?? '' } })
  const next = await ready()
  expect(next).not.toBe(link)
  expect(await ready()).toBe(next)
})

test('customers have a day to order, and the seller is warned of nothing', async () => {
  const hash = (await ready()).split('/').at(-1)
  const { body } = await offers().list_offers()
  const { id = '' } = body.data.find(({ short_hash }) => short_hash === hash) ?? {}
  expect((await offers().get_offer({ params: { id } })).body).toMatchObject({
    state: 'active',
    seats: { max_uses: null },
    order_ttl_minutes: 1440,
    warnings: [],
  })
})

test('a key with which another offer was created is left to that one', async () => {
  const first = await ready()
  const key = await unusedKey()
  await offers().create_offer({
    headers: { 'idempotency-key': key },
    body: { product_id: running.dev.product_id, notes: 'Another.' },
  })
  const { body } = await offers().list_offers({ query: { idempotency_key: key } })
  await revoke(first)
  const link = await ready()
  expect(link).not.toContain(body.data[0]?.short_hash)
  expect((await fetch(link)).status).toBe(200)
})

test('says why there is none', async () => {
  const unknown = { ...running.dev, product_id: 'prod_00000000000000000000000000' }
  await expect(readyOffer(unknown, signal)).rejects.toThrow('POST /offers was answered with 422')
})

/** The one that the next offer would have. */
async function unusedKey(): Promise<string> {
  for (let n = 1; ; n++) {
    const key = `npm-start-${n}`
    const { body } = await offers().list_offers({ query: { idempotency_key: key } })
    if (body.data.length === 0) return key
  }
}

async function revoke(link: string) {
  const { body } = await offers().list_offers()
  const { id = '' } = body.data.find(({ short_hash }) => link.endsWith(`/${short_hash}`)) ?? {}
  await offers().revoke_offer({ params: { id } })
}
