// Money that takes its time, though no message tells what became of it; and answers that cannot be read.
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CheckoutScene, startCheckoutScene } from './checkout-scene.ts'

let scene: CheckoutScene
beforeAll(async () => {
  scene = await startCheckoutScene()
})
afterAll(() => scene?.stop())

const stateOf = async (order: string) => (await scene.sessionsOf(order))[0]?.state
const expiries = () => scene.stripe.requests.filter(({ line }) => line.endsWith('/expire')).length

describe('money on its way is asked after', () => {
  test('a day later, and again while it is on its way', async () => {
    const { order, session } = await scene.newWaiting()
    const path = `GET /v1/checkout/sessions/${session.id}`
    const ended = expiries()
    for (const round of [1, 2, 3]) {
      expect(await scene.dueInHours(order)).toBe(24)
      await scene.look(order)
      await waitUntil('Stripe is asked', () => scene.stripe.asked(path) === round)
      await waitUntil('that is written down', async () => (await scene.dueInHours(order)) === 24)
      expect((await scene.sessionsOf(order))[0]).toMatchObject({ state: 'processing', tries: 0 })
    }
    expect(await scene.state(order)).toBe('awaiting_checkout')
    expect(expiries()).toBe(ended)
  })

  test.each([1, 4])('and again soon where Stripe does not answer (%d times)', async times => {
    const { order, session } = await scene.newWaiting()
    scene.stripe.collect(session.id)
    scene.stripe.faults.push({ kind: 'lost', on: `GET /v1/checkout/sessions/${session.id}`, times })
    await waitUntil('the order is completed', async () => {
      await scene.look(order)
      return (await scene.state(order)) === 'completed'
    })
    expect(await stateOf(order)).toBe('paid')
  })

  test('and takes the seat when it is there', async () => {
    const { order, session } = await scene.newWaiting()
    scene.stripe.collect(session.id)
    await scene.look(order)
    await waitUntil('the order is completed', async () => (await scene.state(order)) === 'completed')
    expect(await scene.installsOf(order)).toHaveLength(1)
    expect(await stateOf(order)).toBe('paid')
    // The message comes after all.
    const paid = scene.event('checkout.session.async_payment_succeeded', session)
    expect(await scene.deliver(paid)).toBe(200)
    expect(await scene.installsOf(order)).toHaveLength(1)
  })

  test('and goes back where the order has ended meanwhile, and no seat is left', async () => {
    const rival = await scene.newRival()
    const { order, session } = rival
    const waiting = structuredClone(scene.stripe.complete(session.id, true))
    expect(await scene.deliver(scene.event('checkout.session.completed', waiting))).toBe(200)
    await scene.loseSeat(rival)
    scene.stripe.collect(session.id)
    const ended = expiries()
    await scene.look(order)
    await waitUntil('the money is back', async () => (await scene.refundOf(order)) === 'done')
    expect(await scene.installsOf(order)).toEqual([])
    expect(expiries()).toBe(ended)
  })

  test('and where it did not come, the order can be paid anew', async () => {
    const { order, session } = await scene.newWaiting()
    scene.stripe.fail(session.id)
    await scene.look(order)
    await waitUntil('that is written down', async () => (await stateOf(order)) === 'closed')
    const second = await scene.begin(order)
    expect(second.id).not.toBe(session.id)
    expect(await scene.deliver(scene.deliverPayment(second))).toBe(200)
    expect(await scene.state(order)).toBe('completed')
  })
})

test.each(['open', 'processing'])(
  'a session that Stripe tells of in an unknown way is looked at a day later: %s',
  async state => {
    const { order, session } = await (state === 'open' ? scene.newDueOrder() : scene.newWaiting())
    const told = scene.stripe.sessions.get(session.id) as { payment_status: unknown }
    const known = told.payment_status
    told.payment_status = 7
    const failure = () =>
      scene.stack.lines.filter(line => line.includes(order) && line.includes('unreadable'))
    if (state === 'open') await scene.expire(order)
    await scene.look(order)
    await waitUntil('it is told', () => failure().length > 0)
    await waitUntil('it waits', async () => (await scene.dueInHours(order)) === 24)
    expect((await scene.sessionsOf(order))[0]).toMatchObject({ state, tries: 1 })
    expect(failure()).toHaveLength(1)
    told.payment_status = known
    scene.stripe.fail(session.id)
    await scene.look(order)
    await waitUntil('it is closed', async () => (await stateOf(order)) === 'closed')
  },
)

test('in the end every payment that was kept has its install, and every install its payment', async () => {
  expect(scene.stripe.payments.size).toBeGreaterThan(3)
  expect(await scene.wrongPayments()).toEqual({ kept_for_nothing: [], kept_twice: [], not_paid: [] })
})
