// Reminders that a confirmed subscription ends in 7 days and in 1 day come in time, and once.
import { forFile } from '@svc/testing/for-file'
import { beforeEach, expect, test } from 'vitest'
import { startSubscriptionScene } from './subscription-scene.ts'

const scene = forFile(startSubscriptionScene)
beforeEach(() => {
  scene.clock.offsetMs = 0
})

const day = 86_400

const paidThrough = async (id: string) => Number((await scene.view(id)).paid_through)
/** Moves the clock to so many days before the end of what is paid. */
async function daysBefore(id: string, days: number) {
  scene.clock.offsetMs += ((await paidThrough(id)) - days * day) * 1000 - scene.clock.now() + 1000
}
const sweepAll = () => Promise.all([0, 1, 0, 1].map(replica => scene.sweep(replica)))
async function reminders(id: string) {
  await sweepAll()
  const rows = await scene.sql`
    select (payload ->> 'days')::int as days from offers.outbox
    where aggregate_id = ${id} and subject = 'events.subscriptions.ends_soon' order by sequence`
  return rows.map(({ days }) => days)
}

test('a subscription that a seller confirms ends soon at 7 days and at 1 day, once each by whichever replica, and again in the next period', async () => {
  const { id } = await scene.newPaid('manual')
  await daysBefore(id, 7.1)
  expect(await reminders(id)).toEqual([])
  for (const [days, told] of [
    [7, [7]],
    [2, [7]],
    [1, [7, 1]],
    [0.1, [7, 1]],
    [-1, [7, 1]],
  ] as const) {
    await daysBefore(id, days)
    expect(await reminders(id)).toEqual(told)
  }
  const body = { after: await paidThrough(id) }
  const answer = await scene.ask('confirm_subscription_payment', scene.internal, { params: { id }, body })
  expect(answer.status).toBe(200)
  expect(await reminders(id)).toEqual([7, 1])
  await daysBefore(id, 7)
  expect(await reminders(id)).toEqual([7, 1, 7])
})

test('a reminder that was missed is left out where the next one, or the end, has come', async () => {
  const { id: over } = await scene.newPaid('manual')
  await daysBefore(over, -0.5)
  expect(await reminders(over)).toEqual([])
  const { id } = await scene.newPaid('manual')
  await daysBefore(id, 0.5)
  expect(await reminders(id)).toEqual([1])
})

test('a subscription at Stripe, which charges by itself, has no reminders', async () => {
  const { id } = await scene.newPaid('stripe')
  await daysBefore(id, 0.5)
  expect(await reminders(id)).toEqual([])
})
