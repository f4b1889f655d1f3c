// What becomes of payments that arrive after an order has ended, and of sessions that nobody should pay any more.
import { connectBus } from '@svc/bus/connection'
import { readEvents } from '@svc/testing/read-events'
import { describe, expect, test } from 'vitest'
import { scene, waitUntil } from '../checkout-scene.ts'

describe('a late payment', () => {
  test('takes a seat if one is free', async () => {
    const { order, session } = await scene.newDueOrder()
    const paid = scene.deliverPayment(session)
    await scene.expire(order)
    expect(await scene.deliver(paid)).toBe(200)
    expect(await scene.order(order)).toMatchObject({ state: 'completed', install_id: expect.any(String) })
  })

  test.each(['none', 'error', 'cut', 'busy', 'lost'] as const)(
    'is refunded, whatever fails on the way: %s',
    async kind => {
      const rival = await scene.newRival()
      const { order, session, other } = rival
      const paid = scene.deliverPayment(session)
      await scene.loseSeat(rival)
      if (kind !== 'none') {
        for (const on of ['POST /v1/refunds', 'DELETE /v1/subscriptions'])
          scene.stripe.faults.push({ kind, on, times: 1 })
      }
      const refunds = scene.stripe.refunds.length
      expect(await scene.deliver(paid)).toBe(200)
      expect(await scene.deliver(paid)).toBe(200)
      await waitUntil('the refund is done', async () => {
        await scene.look(order)
        return (await scene.refundOf(order)) === 'done'
      })
      expect(scene.stripe.subscriptions.get(session.subscription ?? '')?.status).toBe('canceled')
      expect(scene.stripe.payments.get(session.invoice ?? '')).toMatchObject({ refunded: true })
      expect(scene.stripe.refunds).toHaveLength(refunds + 1)
      expect(await scene.order(order)).toMatchObject({ state: 'expired', install_id: null })
      expect((await scene.own('GET', `/orders/${other}`)).body.state).toBe('awaiting_checkout')
      expect(await scene.deliver(paid)).toBe(200)
      expect((await scene.sessionsOf(order))[0]?.state).toBe('refunded')
    },
  )

  test.concurrent.each([false, true])(
    'from a second session of the same order is refunded (at once: %s)',
    async atOnce => {
      const { order, session } = await scene.newDueOrder({ max_uses: 5 })
      // As if Stripe had wrongly said that it had ended.
      await scene.sql`update offers.checkout_sessions set state = 'closed' where order_id = ${order}`
      const second = await scene.begin(order)
      expect(second.id).not.toBe(session.id)
      const payments = [session, second].map(each => scene.deliverPayment(each))
      if (atOnce) await Promise.all(payments.map((text, gateway) => scene.deliver(text, { gateway })))
      else for (const text of payments) expect(await scene.deliver(text)).toBe(200)
      await waitUntil('one of them is back', async () => (await scene.refundOf(order)) === 'done')
      expect(await scene.order(order)).toMatchObject({ state: 'completed', install_id: expect.any(String) })
      expect((await scene.sessionsOf(order)).map(({ state }) => state).sort()).toEqual(['paid', 'refunded'])
    },
  )

  test.concurrent('has an event when its refund is due, and another when it is made', async () => {
    const rival = await scene.newRival()
    const { order, session } = rival
    const paid = scene.deliverPayment(session)
    await scene.loseSeat(rival)
    await scene.deliver(paid)
    const bus = await connectBus(scene.stack.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
    let types: string[] = []
    await waitUntil('its events are there', async () => {
      const found = (await readEvents(bus)).filter(({ aggregate_id }) => aggregate_id === order)
      types = found.map(({ type }) => type)
      return types.includes('orders.refunded')
    }).finally(() => bus.close())
    const expected = ['created', 'awaiting_checkout', 'expired', 'refund_due', 'refunded']
    expect(types).toEqual(expected.map(name => `orders.${name}`))
  })

  test.concurrent('for an offer that was revoked while the customer paid is refunded', async () => {
    const { order, offer_id, session } = await scene.newDueOrder({ max_uses: 10 })
    const paid = scene.deliverPayment(session)
    await scene.own('POST', `/offers/${offer_id}/revoke`)
    expect(await scene.deliver(paid)).toBe(200)
    await waitUntil('the refund is done', async () => (await scene.refundOf(order)) === 'done')
    expect(await scene.installsOf(order)).toEqual([])
  })

  test.concurrent('an amount other than the price is not accepted, and is refunded', async () => {
    const { order, session } = await scene.newDueOrder()
    scene.stripe.complete(session.id)
    expect(
      await scene.deliver(scene.event('checkout.session.completed', { ...session, amount_total: 4999 })),
    ).toBe(200)
    expect(await scene.installsOf(order)).toEqual([])
    await waitUntil('the refund is done', async () => (await scene.refundOf(order)) === 'done')
  })
})

describe.concurrent('a session of an order that has ended', () => {
  test.each([
    ['cancelled by the customer', ({ order }) => scene.send('POST', `/orders/${order}/cancel`)],
    ['cancelled by the seller', ({ order }) => scene.own('POST', `/orders/${order}/cancel`)],
    ['cancelled with the offer', ({ offer_id }) => scene.own('POST', `/offers/${offer_id}/revoke`)],
    [
      'past its time',
      async ({ order }) => {
        await scene.expire(order)
        await scene.look(order)
      },
    ],
    [
      'whose seat another order took',
      async ({ order, short_hash }) => {
        await scene.expire(order)
        await scene.newOrder(short_hash)
      },
    ],
  ] as [string, (due: { order: string; offer_id: string; short_hash: string }) => Promise<unknown>][])(
    '%s is ended at Stripe, so that nobody can pay it',
    async (_how, end) => {
      const due = await scene.newDueOrder()
      await end(due)
      await waitUntil('the session is ended', () => due.session.status === 'expired')
      await waitUntil(
        'that is stored',
        async () => (await scene.sessionsOf(due.order))[0]?.state === 'closed',
      )
    },
  )

  test('that turns out to be paid counts as paid, even if no event of it came', async () => {
    const { order, session } = await scene.newDueOrder()
    scene.stripe.complete(session.id)
    await scene.expire(order)
    await scene.look(order)
    await waitUntil('the order is completed', async () => (await scene.state(order)) === 'completed')
    expect(await scene.installsOf(order)).toHaveLength(1)
  })
})

test('in the end every payment that was not refunded has its install, and every install its payment', async () => {
  expect(scene.stripe.payments.size).toBeGreaterThan(3)
  expect(await scene.wrongPayments()).toEqual({ kept_for_nothing: [], kept_twice: [], not_paid: [] })
})
