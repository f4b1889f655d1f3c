// A replica that is killed between any two steps of a payment costs nobody a seat, an install, or money.
import { waitUntil } from '@svc/local/wait-until'
import { everything, sized } from '@svc/testing/size'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CheckoutScene, startCheckoutScene } from './checkout-scene.ts'
import type { Fault } from '@svc/testing/stripe-server'

let scene: CheckoutScene
beforeAll(async () => {
  // One replica: what it did not finish nobody else does.
  scene = await startCheckoutScene({ replicas: { gateway: 2, offers: 1 } })
})
afterAll(() => scene?.stop())

const offers = () => {
  const [replica] = scene.stack.stack.processes.offers
  if (!replica) throw new Error('The service does not run.')
  return replica
}

async function kill() {
  offers().kill('SIGKILL')
  await waitUntil('it is dead', () => !offers().running())
  await offers().start()
}

/** Holds up the next request of this kind, and kills the service while Stripe has it. */
async function killWithin(on: string, begin: () => Promise<unknown>) {
  const fault: Fault = { kind: 'slow', on, times: 1, ms: 1000 }
  scene.stripe.faults.push(fault)
  const done = begin().catch(() => undefined)
  await waitUntil(`Stripe has ${on}`, () => fault.times === 0)
  await kill()
  await done
}

test('killed while Stripe makes the session: whoever asks again gets that session', async () => {
  const { short_hash } = await scene.newOffer()
  const order = await scene.newOrder(short_hash)
  await killWithin('POST /v1/checkout/sessions', () => scene.send('POST', `/orders/${order}/checkout`))
  await waitUntil('Stripe has made it', () => scene.stripe.openSessions(order).length > 0)
  expect((await scene.sessionsOf(order))[0]).toMatchObject({ attempt: 1, id: null, state: 'open' })
  const session = await scene.begin(order)
  expect(scene.stripe.openSessions(order)).toEqual([session])
  expect(await scene.sessionsOf(order)).toEqual([{ attempt: 1, id: session.id, state: 'open', tries: 0 }])
})

test('killed among deliveries: those that come again start one install', async () => {
  const { order, session } = await scene.newDueOrder()
  const text = scene.deliverPayment(session)
  const first = Array.from({ length: sized(20, 40) }, (_, n) => scene.deliver(text, { gateway: n % 2 }))
  await Promise.race(first)
  await kill()
  const again = (await Promise.all(first)).filter(status => status !== 200)
  for (const _ of [...again, 200]) expect(await scene.deliver(text)).toBe(200)
  expect(await scene.installsOf(order)).toHaveLength(1)
})

/** In `npm test` the last one alone: each is a start of the service. */
const some = (steps: readonly string[]) => (everything ? steps : steps.slice(-1))

test.each(some(['DELETE /v1/subscriptions', 'GET /v1/invoice_payments', 'POST /v1/refunds']))(
  'killed within %s: the money goes back, once',
  async on => {
    const rival = await scene.newRival()
    const { order, session } = rival
    const text = scene.deliverPayment(session)
    await scene.loseSeat(rival)
    const refunds = scene.stripe.refunds.length
    await killWithin(on, () => scene.deliver(text))
    expect(await scene.refundOf(order)).toBe('due')
    // The claim of the killed one has to run out.
    expect((await scene.sessionsOf(order))[0]).toMatchObject({ state: 'refund_due', tries: 1 })
    await scene.look(order)
    await waitUntil('the money is back', async () => (await scene.refundOf(order)) === 'done')
    expect(scene.stripe.refunds).toHaveLength(refunds + 1)
    expect(scene.stripe.subscriptions.get(session.subscription ?? '')).toBe('canceled')
  },
)

test.each(some(['GET /v1/checkout/sessions', 'DELETE /v1/subscriptions']))(
  'killed within %s for a payment that failed: the subscription ends',
  async on => {
    const { order, session } = await scene.newWaiting()
    const text = scene.event(
      'checkout.session.async_payment_failed',
      structuredClone(scene.stripe.fail(session.id)),
    )
    await killWithin(on, () => scene.deliver(text))
    expect((await scene.sessionsOf(order))[0]).toMatchObject({ state: 'cancel_due', tries: 1 })
    await scene.look(order)
    await waitUntil('it is done', async () => (await scene.sessionsOf(order))[0]?.state === 'closed')
    expect(scene.stripe.subscriptions.get(session.subscription ?? '')).toBe('canceled')
  },
)

test('killed while a session is being ended: it is ended', async () => {
  const { order, session } = await scene.newDueOrder()
  await killWithin(`POST /v1/checkout/sessions/${session.id}/expire`, () =>
    scene.send('POST', `/orders/${order}/cancel`),
  )
  await scene.look(order)
  await waitUntil('it is ended', async () => (await scene.sessionsOf(order))[0]?.state === 'closed')
  expect(session.status).toBe('expired')
})

test('in the end every payment that was kept has its install, and every install its payment', async () => {
  expect(scene.stripe.payments.size).toBeGreaterThan(sized(1, 3))
  expect(await scene.wrongPayments()).toEqual({ kept_for_nothing: [], kept_twice: [], not_paid: [] })
})
