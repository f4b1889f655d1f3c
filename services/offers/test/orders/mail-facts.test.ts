// What mail about orders rests on: that an order which waits expires soon, told once, and what may be said about it.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { newCustomer, shareOffers } from '../running-offers.ts'

const minute = 60_000

const running = forFile(shareOffers)

async function waiting(order_ttl_minutes: number) {
  const { short_hash } = await running.newOffer({ way: 'both', order_ttl_minutes })
  const customer = newCustomer()
  const { id } = (await running.order(short_hash, customer)).body
  expect((await running.submit(id, customer)).status).toBe(200)
  return { id, customer }
}
const endings = async (id: string) => {
  const rows = await running.sql`
    select data from (
      select payload as data from offers.outbox where aggregate_id = ${id} and subject = 'events.orders.ends_soon'
    ) told`
  return rows.length
}
const sweepAll = () => Promise.all([0, 1, 0, 1].map(replica => running.sweep(replica)))

test('that an order expires in half an hour is told once, by whichever replica, and again where it was given more time', async () => {
  const { id } = await waiting(120)
  await sweepAll()
  expect(await endings(id)).toBe(0)
  running.clock.offsetMs += 91 * minute
  await sweepAll()
  await sweepAll()
  expect(await endings(id)).toBe(1)
  expect((await running.approve(id)).status).toBe(200)
  await sweepAll()
  expect(await endings(id)).toBe(1)
  running.clock.offsetMs += 91 * minute
  await sweepAll()
  expect(await endings(id)).toBe(2)
})

test('it is not told of an order that never had so long, that is not submitted, or that has expired', async () => {
  const { id: brief } = await waiting(20)
  const { short_hash } = await running.newOffer({ way: 'both', order_ttl_minutes: 60 })
  const open = (await running.order(short_hash, newCustomer())).body.id
  const { id: missed } = await waiting(60)
  await sweepAll()
  running.clock.offsetMs += 61 * minute
  await sweepAll()
  for (const id of [brief, open, missed]) expect(await endings(id)).toBe(0)
})

test('the facts for mail have neither what was filled in nor notes, and are for internal programs', async () => {
  const { id, customer } = await waiting(60)
  const activity = { kind: 'internal', id: 'activity' } as const
  const body = { ids: [id, newId('order')] }
  const answer = await running.ask('read_order_facts', activity, { body })
  expect(answer.status).toBe(200)
  const [facts, ...others] = (answer.body as unknown as { orders: Record<string, unknown>[] }).orders
  expect(others).toEqual([])
  expect(Object.keys(facts ?? {}).sort()).toEqual([
    'email',
    'expires_at',
    'id',
    'max_uses',
    'next_steps',
    'offer_id',
    'payment_instructions',
    'product',
    'provider',
    'reason',
    'redeemed',
    'reference',
    'seller_workspace_id',
    'terms',
    'user_id',
    'workspace_id',
  ])
  expect(facts).toMatchObject({ id, seller_workspace_id: running.seller, workspace_id: customer.workspace })
  expect(Object.keys(facts?.terms ?? {}).sort()).toEqual(['commercial_mode', 'price'])
  expect((await running.ask('read_order_facts', customer, { body })).status).toBe(403)
})
