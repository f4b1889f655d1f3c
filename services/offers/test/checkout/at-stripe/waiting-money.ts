// Payments that stay processing while no event reports their outcome, and answers of Stripe that cannot be parsed.
import { connectBus } from '@svc/bus/connection'
import { readEvents } from '@svc/testing/read-events'
import { describe, expect, test } from 'vitest'
import { scene, waitUntil } from '../checkout-scene.ts'

const stateOf = async (order: string) => (await scene.sessionsOf(order))[0]?.state
const expiries = () => scene.stripe.requests.filter(({ line }) => line.endsWith('/expire')).length

describe('a processing payment is looked up', () => {
  test('after a day, and every day while it is processing', async () => {
    const { order, session } = await scene.newWaiting()
    const path = `GET /v1/checkout/sessions/${session.id}`
    const ended = expiries()
    for (let round = 1; round <= 2; round++) {
      expect(await scene.dueInHours(order)).toBe(24)
      await scene.look(order)
      await waitUntil('the look-up at Stripe', () => scene.stripe.asked(path) === round)
      await waitUntil('that is stored', async () => (await scene.dueInHours(order)) === 24)
      expect((await scene.sessionsOf(order))[0]).toMatchObject({ state: 'processing', tries: 0 })
    }
    expect(await scene.state(order)).toBe('awaiting_checkout')
    expect(expiries()).toBe(ended)
  })

  test.each([1, 4])('a payment is looked up again soon if Stripe does not answer (%d times)', async times => {
    const { order, session } = await scene.newWaiting()
    scene.stripe.collect(session.id)
    scene.stripe.faults.push({ kind: 'lost', on: `GET /v1/checkout/sessions/${session.id}`, times })
    await waitUntil('the order is completed', async () => {
      await scene.look(order)
      return (await scene.state(order)) === 'completed'
    })
    expect(await stateOf(order)).toBe('paid')
  })

  test('a payment that has succeeded takes the seat', async () => {
    const { order, session } = await scene.newWaiting()
    scene.stripe.collect(session.id)
    await scene.look(order)
    await waitUntil('the order is completed', async () => (await scene.state(order)) === 'completed')
    expect(await scene.installsOf(order)).toHaveLength(1)
    expect(await stateOf(order)).toBe('paid')
    // The event comes after all.
    const paid = scene.event('checkout.session.async_payment_succeeded', session)
    expect(await scene.deliver(paid)).toBe(200)
    expect(await scene.installsOf(order)).toHaveLength(1)
  })

  test('a payment is refunded if the order has ended meanwhile and no seat is left', async () => {
    const rival = await scene.newRival()
    const { order, session } = rival
    const waiting = structuredClone(scene.stripe.complete(session.id, true))
    expect(await scene.deliver(scene.event('checkout.session.completed', waiting))).toBe(200)
    await scene.loseSeat(rival)
    scene.stripe.collect(session.id)
    const ended = expiries()
    await scene.look(order)
    await waitUntil('the refund is done', async () => (await scene.refundOf(order)) === 'done')
    expect(await scene.installsOf(order)).toEqual([])
    expect(expiries()).toBe(ended)
  })

  test('an order whose payment has failed can be paid again', async () => {
    const { order, session } = await scene.newWaiting()
    scene.stripe.fail(session.id)
    await scene.look(order)
    await waitUntil('that is stored', async () => (await stateOf(order)) === 'closed')
    expect(scene.stripe.subscriptions.get(session.subscription ?? '')?.status).toBe('canceled')
    const second = await scene.begin(order)
    expect(second.id).not.toBe(session.id)
    expect(await scene.deliver(scene.deliverPayment(second))).toBe(200)
    expect(await scene.state(order)).toBe('completed')
  })
})

describe('after a failed payment the subscription is cancelled', () => {
  const failed = (session: object) =>
    scene.event('checkout.session.async_payment_failed', structuredClone(session))

  test.each(['none', 'error', 'cut', 'busy', 'lost'] as const)(
    'once, whatever fails on the way, and nothing is refunded: %s',
    async kind => {
      const { order, session } = await scene.newWaiting()
      const text = failed(scene.stripe.fail(session.id))
      const refunds = scene.stripe.asked('POST /v1/refunds')
      const faults = ['DELETE /v1/subscriptions', 'GET /v1/checkout/sessions'].map(on => ({ on, times: 1 }))
      if (kind !== 'none') for (const fault of faults) scene.stripe.faults.push({ kind, ...fault })
      expect(await scene.deliver(text)).toBe(200)
      expect(await scene.deliver(text, { gateway: 1 })).toBe(200)
      await waitUntil('it has ended', async () => {
        await scene.look(order)
        return (await stateOf(order)) === 'closed'
      })
      expect(scene.stripe.subscriptions.get(session.subscription ?? '')?.status).toBe('canceled')
      expect(await scene.deliver(text)).toBe(200)
      expect(await stateOf(order)).toBe('closed')
      // No further look-up is due. One that started at the same time may still be running.
      expect(await scene.dueInHours(order)).toBeNull()
      expect(scene.stripe.asked('POST /v1/refunds')).toBe(refunds)
      expect(await scene.order(order)).toMatchObject({
        state: 'awaiting_checkout',
        checkout: { refund: null },
      })
    },
  )

  test('even if the order has ended, without an event of a refund', async () => {
    const { order, session } = await scene.newWaiting()
    expect((await scene.send('POST', `/orders/${order}/cancel`)).body.state).toBe('cancelled')
    expect(await scene.deliver(failed(scene.stripe.fail(session.id)))).toBe(200)
    await waitUntil('it has ended', async () => (await stateOf(order)) === 'closed')
    expect(scene.stripe.subscriptions.get(session.subscription ?? '')?.status).toBe('canceled')
    // Events come in order: once that of a later order is here, so are all earlier ones.
    const next = await scene.newDueOrder()
    const bus = await connectBus(scene.stack.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
    let types: string[] = []
    await waitUntil('the events are there', async () => {
      const events = await readEvents(bus)
      types = events.filter(({ aggregate_id }) => aggregate_id === order).map(({ type }) => type)
      return events.some(({ aggregate_id }) => aggregate_id === next.order)
    }).finally(() => bus.close())
    expect(types).toEqual(['created', 'awaiting_checkout', 'cancelled'].map(name => `orders.${name}`))
  })

  test('another payment can begin before the subscription is cancelled', async () => {
    const { order, session } = await scene.newWaiting()
    scene.stripe.faults.push({ kind: 'slow', on: 'DELETE /v1/subscriptions', times: 1, ms: 1500 })
    expect(await scene.deliver(failed(scene.stripe.fail(session.id)))).toBe(200)
    const second = await scene.begin(order)
    expect(await scene.deliver(scene.deliverPayment(second))).toBe(200)
    expect(await scene.state(order)).toBe('completed')
    await waitUntil('the first has ended', async () => (await stateOf(order)) === 'closed')
    expect(scene.stripe.subscriptions.get(session.subscription ?? '')?.status).toBe('canceled')
    expect(scene.stripe.subscriptions.get(second.subscription ?? '')?.status).toBe('active')
  })

  test('money collected before the cancellation is refunded, even without an event of it', async () => {
    const { order, session } = await scene.newWaiting()
    const text = failed(scene.stripe.fail(session.id))
    scene.stripe.collect(session.id)
    expect(await scene.deliver(text)).toBe(200)
    await waitUntil('the refund is done', async () => (await scene.refundOf(order)) === 'done')
    expect(await scene.installsOf(order)).toEqual([])
    expect(await scene.state(order)).toBe('awaiting_checkout')
  })
})

test.concurrent.each(['open', 'processing'])(
  'a session whose payment status is unknown to us is looked up a day later: %s',
  async state => {
    const { order, session } = await (state === 'open' ? scene.newDueOrder() : scene.newWaiting())
    const logged = scene.stripe.sessions.get(session.id) as { payment_status: unknown }
    const known = logged.payment_status
    logged.payment_status = 7
    const failure = () =>
      scene.stack.lines.filter(line => line.includes(order) && line.includes('unreadable'))
    // Once only: ending the order makes it due.
    if (state === 'open') await scene.send('POST', `/orders/${order}/cancel`)
    else await scene.look(order)
    await waitUntil('the log line', () => failure().length > 0)
    await waitUntil('it waits', async () => (await scene.dueInHours(order)) === 24)
    expect((await scene.sessionsOf(order))[0]).toMatchObject({ state, tries: 1 })
    expect(failure()).toHaveLength(1)
    logged.payment_status = known
    if (state === 'processing') scene.stripe.fail(session.id)
    await scene.look(order)
    await waitUntil('it is closed', async () => (await stateOf(order)) === 'closed')
  },
)

test('in the end every payment that was not refunded has its install, and every install its payment', async () => {
  expect(scene.stripe.payments.size).toBeGreaterThan(3)
  expect(await scene.wrongPayments()).toEqual({ kept_for_nothing: [], kept_twice: [], not_paid: [] })
})
