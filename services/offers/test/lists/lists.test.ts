// Lists of offers and of orders: by text, product, customer and time, and from both ends.
import { cursorAt } from '@svc/runtime/cursor'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { newCustomer, type Running, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)
const day = 86_400

type List = 'list_offers' | 'list_orders'
type Query = Record<string, string>

const page = async (list: List, query: Query, caller: Parameters<Running['ask']>[1] = running.internal) => {
  const { status, body } = await running.ask(list, caller, {
    query: {
      ...(list === 'list_orders' && caller === running.internal && { relation: 'received' }),
      ...query,
    },
  })
  expect(status).toBe(200)
  return {
    ids: body.data.map(({ id }) => String(id)),
    next: body.next_cursor as string | null,
    data: body.data,
  }
}
const idsOf = async (...asked: Parameters<typeof page>) => (await page(...asked)).ids

describe('filters', () => {
  const customer = newCustomer('grace@globex.example')
  let offer: Awaited<ReturnType<Running['newOffer']>>
  let other: typeof offer
  let order: string
  const now = () => Math.floor(running.clock.now() / 1000)

  beforeAll(async () => {
    const snapshot = { display_name: 'Müller & Söhne 100%', external_id: 'crm-4711' }
    offer = await running.newOffer({ customer: snapshot, internal_note: 'Renewal in March', max_uses: null })
    other = await running.newOffer({ max_uses: null })
    order = (await running.order(offer.short_hash, customer)).body.id
    await running.order(other.short_hash, newCustomer())
  })

  test.each<[string, boolean]>([
    ['müller', true],
    ['SÖHNE 100%', true],
    ['CRM-4711', true],
    ['renewal', true],
    ['0%', true],
    ['M%r', false],
    ['nobody', false],
  ])('the text %j finds the offer and its order: %s', async (text, isFound) => {
    const found = await idsOf('list_offers', { text })
    expect(found.includes(offer.id)).toBe(isFound)
    expect((await idsOf('list_orders', { text })).includes(order)).toBe(isFound)
  })

  test('orders are found by reference, address and product, and by nothing that only the seller may see', async () => {
    const [{ reference, name } = {}] = (await page('list_orders', {}, customer)).data
    for (const text of [reference, 'grace@', name].map(String)) {
      expect(await idsOf('list_orders', { text })).toContain(order)
      expect(await idsOf('list_orders', { text }, customer)).toEqual([order])
    }
    for (const text of ['Müller', 'crm-4711', 'Renewal'])
      expect(await idsOf('list_orders', { text }, customer)).toEqual([])
    const [own] = (await page('list_orders', {}, customer)).data
    expect(own).toMatchObject({ customer: null, terms: { commercial_mode: 'paid', price: null } })
    const [sold] = (await page('list_orders', { text: String(reference) })).data
    expect(sold).toMatchObject({ customer: { external_id: 'crm-4711' } })
  })

  test.each<[string, () => Query, boolean]>([
    ['its product', () => ({ product_id: offer.product_id }), true],
    ['another product', () => ({ product_id: other.product_id }), false],
    ['its customer', () => ({ customer_id: customer.workspace }), true],
    ['another customer', () => ({ customer_id: newCustomer().workspace }), false],
    ['a time around', () => ({ after: `${now() - 60}`, before: `${now() + 60}` }), true],
    ['a time before', () => ({ before: `${now() - day}` }), false],
    ['a time after', () => ({ after: `${now() + day}` }), false],
    ['all times', () => ({ after: '0', before: '999999999999' }), true],
  ])('%s', async (_, query, isFound) => {
    for (const from of ['asc', 'desc'])
      expect((await idsOf('list_orders', { ...query(), order: from })).includes(order)).toBe(isFound)
    const { customer_id, ...ofOffers } = query()
    if (!customer_id) expect((await idsOf('list_offers', ofOffers)).includes(offer.id)).toBe(isFound)
  })

  test('no filter finds anything of another workspace', async () => {
    const stranger = newCustomer()
    const queries: Query[] = [
      { text: 'Müller' },
      { product_id: offer.product_id },
      { after: '0' },
      { order: 'asc' },
    ]
    for (const query of queries) {
      expect(await idsOf('list_offers', query, stranger)).toEqual([])
      expect(await idsOf('list_orders', { relation: 'received', ...query }, stranger)).toEqual([])
    }
    const asked = { relation: 'received', customer_id: customer.workspace }
    expect(await idsOf('list_orders', asked, stranger)).toEqual([])
  })
})

describe.each<List>(['list_offers', 'list_orders'])('the pages of %s', list => {
  const limit = '3'
  let offer: { id: string; short_hash: string; product_id: string }
  let query: Query
  const add = async (count: number) => {
    for (let n = 0; n < count; n++) {
      if (list === 'list_orders') await running.order(offer.short_hash, newCustomer())
      else await running.ask('create_offer', running.internal, { body: { product_id: offer.product_id } })
    }
  }
  beforeAll(async () => {
    offer = await running.newOffer({ max_uses: null })
    query = { limit, ...(list === 'list_orders' ? { offer_id: offer.id } : { product_id: offer.product_id }) }
    await add(list === 'list_orders' ? 10 : 9)
  })

  test('are the same from both ends, and nothing is missed or repeated while others are added', async () => {
    const before = await idsOf(list, { ...query, limit: '100' })
    const read: string[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const one = await page(list, { ...query, ...(cursor && { cursor }) })
      read.push(one.ids)
      cursor = one.next
      await add(1)
    }
    expect(read.flat()).toEqual(before)
    expect(read.map(({ length }) => length)).toEqual([3, 3, 3, 1])

    // The page before each is the one that was read, though the list has grown.
    for (const [at, ids] of read.entries()) {
      if (at === 0) continue
      const cursor = cursorAt(ids[0] ?? '')
      expect(await idsOf(list, { ...query, order: 'asc', cursor })).toEqual(read[at - 1]?.toReversed())
    }
    const last = await page(list, { ...query, order: 'asc' })
    expect(last.ids.toReversed()).toEqual(before.slice(-3))
    const all = await idsOf(list, { ...query, limit: '100', order: 'asc' })
    expect(all.slice(0, before.length)).toEqual(before.toReversed())
    expect(all.length).toBe(before.length + 4)
  })
})
