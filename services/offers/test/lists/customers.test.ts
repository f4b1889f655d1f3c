// GET /customers: everybody who ordered, counted from their orders.
import { maxCountedOrders } from '@svc/contract/offers/customers/list-customers'
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { maxScanned } from '../../src/scanned-page.ts'
import { newCustomer, type Running, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)

const list = async (
  query: Record<string, string> = {},
  caller: Parameters<Running['ask']>[1] = running.internal,
) => {
  const { status, body } = await running.ask('list_customers', caller, { query })
  expect(status).toBe(200)
  return { data: body.data, next: body.next_cursor as string | null }
}
const price = (unit_amount: number, currency = 'eur') => ({
  pricing_request: { currency, unit_amount, interval: 'month' },
})
async function complete(offer: { short_hash: string }, caller: ReturnType<typeof newCustomer>) {
  const { body } = await running.order(offer.short_hash, caller)
  const { body: done } = await running.submit(body.id, caller)
  expect(done.state).toBe('completed')
  return done
}

test('orders, installs and the value in each currency are counted; the newest snapshot and note are shown', async () => {
  const globex = newCustomer('grace@globex.example')
  const later = newCustomer()
  const first = await running.newOffer({
    ...price(1000),
    customer: { display_name: 'Old' },
    internal_note: 'Fair',
  })
  const dollars = await running.newOffer(price(500, 'usd'))
  const again = await running.newOffer({
    ...price(250),
    customer: { display_name: 'Globex', external_id: 'c-1' },
  })
  const trial = await running.newOffer({ ...price(9000), commercial_mode: 'non_billable_test' })
  await complete(first, globex)
  await complete(dollars, globex)
  const removed = await complete(again, globex)
  await running.ask('remove_install', globex, { params: { id: String(removed.install_id) } })
  await complete(trial, globex)
  const open = await running.newOffer({ ...price(7000), max_uses: null })
  await running.order(open.short_hash, globex)
  await running.order(open.short_hash, later)
  const { data } = await list()
  expect(data).toEqual([
    expect.objectContaining({
      id: later.workspace,
      email: null,
      orders: 1,
      installs: 0,
      value: [],
      customer: null,
    }),
    {
      id: globex.workspace,
      email: 'grace@globex.example',
      customer: { display_name: 'Globex', external_id: 'c-1' },
      internal_note: 'Fair',
      orders: 5,
      installs: 3,
      value: [
        { currency: 'eur', unit_amount: 1250 },
        { currency: 'usd', unit_amount: 500 },
      ],
      subscriptions: [],
      first_ordered_at: expect.any(Number),
      last_ordered_at: expect.any(Number),
    },
  ])
  // Customers of a seller are listed for nobody else.
  for (const caller of [globex, newCustomer()]) expect((await list({}, caller)).data).toEqual([])
})

test('pages miss and repeat nobody who orders again meanwhile', async () => {
  const offer = await running.newOffer({ max_uses: null })
  const customers = Array.from({ length: 5 }, () => newCustomer())
  for (const one of customers) await running.order(offer.short_hash, one)
  const second = await running.newOffer({ max_uses: null })
  const read: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, next } = await list({ limit: '2', ...(cursor && { cursor }) })
    read.push(...data.map(({ id }) => String(id)))
    await running.order(second.short_hash, customers[read.length % 5] ?? expect.unreachable())
    cursor = next
  }
  expect(read.slice(0, 5)).toEqual(customers.map(({ workspace }) => workspace).toReversed())
  expect(new Set(read).size).toBe(read.length)
})

test('a page reads a bounded number of orders, and counts no more of one customer', async () => {
  const { id: offer_id } = await running.newOffer({ max_uses: null })
  const workspaces = Array.from({ length: 8 }, () => newId('ws'))
  const each = maxCountedOrders + 5
  await running.sql`
    insert into offers.orders (
      id, workspace_id, offer_id, customer_workspace_id, holder, state, expires_at, created_at, updated_at
    )
    select 'order_7' || lpad(n::text, 9, '0') || lpad(nth::text, 8, '0') || lpad((nth * 10000 + n)::text, 8, '0'), ${running.seller}, ${offer_id}, ws,
      'user_' || n || ws, 'cancelled', 0, now(), now()
    from unnest(${workspaces}::text[]) with ordinality as w (ws, nth), generate_series(1, ${each}::int) as n`
  const pages: number[] = []
  const read: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, next } = await list({ limit: '100', ...(cursor && { cursor }) })
    const large = data.filter(({ id }) => workspaces.includes(String(id)))
    for (const { orders } of large) expect(orders).toBe(maxCountedOrders)
    if (large.length > 0) pages.push(large.length)
    read.push(...data.map(({ id }) => String(id)))
    cursor = next
  }
  expect(read.filter(id => workspaces.includes(id))).toEqual(workspaces.toReversed())
  expect(pages).toEqual([maxScanned / maxCountedOrders + 1, 2])
  expect(new Set(read).size).toBe(read.length)
})
