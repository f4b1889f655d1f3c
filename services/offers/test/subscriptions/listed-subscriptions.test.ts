// What lists say of subscriptions at the moment at which they are read.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { startSubscriptionScene } from './subscription-scene.ts'

const scene = forFile(startSubscriptionScene)
type Caller = Parameters<typeof scene.ask>[1]

const overdue = async (relation: string, caller: Caller, more: Record<string, string> = {}) => {
  const query = { relation, subscription: 'overdue', ...more }
  const { body } = await scene.ask('list_installs', caller, { query })
  return body.data as { id: string; offer_id: string; subscription: { state: string } }[]
}
const states = async (...asked: Parameters<typeof overdue>) =>
  (await overdue(...asked)).map(({ id, subscription }) => [id, subscription.state])

test('both sides find what is past due or lapsed at that moment, before an event has told it', async () => {
  const [first, second, ended, paid] = [
    await scene.newPaid('manual'),
    await scene.newPaid('manual', 60),
    await scene.newPaid('manual'),
    await scene.newPaid('stripe'),
  ]
  const seller = scene.internal
  expect(await overdue('sold', seller)).toEqual([])
  await scene.ask('cancel_subscription', ended.customer, { params: { id: ended.id }, body: {} })
  scene.clock.offsetMs += 45 * 86_400_000
  await scene.sql`
    update offers.subscriptions set status = 'active' where install_id = ${paid.id}`
  expect(await states('sold', seller)).toEqual([
    [second.id, 'past_due'],
    [first.id, 'lapsed'],
  ])
  expect(await states('owned', first.customer)).toEqual([[first.id, 'lapsed']])
  for (const [relation, caller] of [
    ['sold', first.customer],
    ['owned', seller],
    ['owned', paid.customer],
  ] as const)
    expect(await overdue(relation, caller)).toEqual([])
  const [{ offer_id } = expect.unreachable()] = await overdue('owned', first.customer)
  expect(await states('sold', seller, { offer_id })).toEqual([[first.id, 'lapsed']])
  await scene.settle()
  expect(await states('sold', seller, { limit: '1' })).toEqual([[second.id, 'past_due']])
})

test('a customer pays the sum of what has not ended, in each state, at that moment', async () => {
  const first = await scene.newPaid('manual')
  const { customer } = first
  await scene.newPaid('manual', 60, customer)
  const last = await scene.newPaid('manual', 60, customer)
  const paid = async () => {
    const { body } = await scene.ask('list_customers', scene.internal, { query: {} })
    return body.data.find(({ id }) => id === customer.workspace)?.subscriptions
  }
  const price = { currency: 'eur', interval: 'month' }
  expect(await paid()).toEqual([{ ...price, state: 'active', unit_amount: 300 }])
  scene.clock.offsetMs += 45 * 86_400_000
  expect(await paid()).toEqual([
    { ...price, state: 'lapsed', unit_amount: 100 },
    { ...price, state: 'past_due', unit_amount: 200 },
  ])
  const params = { params: { id: last.id }, body: { at: 'now' } }
  await scene.ask('cancel_subscription', customer, params)
  expect(await paid()).toEqual([
    { ...price, state: 'lapsed', unit_amount: 100 },
    { ...price, state: 'past_due', unit_amount: 100 },
  ])
})
