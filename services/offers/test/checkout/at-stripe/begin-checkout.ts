// An order that is paid at Stripe, from the offer's link to the install, with one session.
import { describe, expect, test } from 'vitest'
import { scene, waitUntil } from '../checkout-scene.ts'
import { statusAndProblems } from '../../http-scene.ts'
import { latch } from '../../in-process.ts'
import { scaled } from '@svc/contract/core/deadline-scale'
import { everything, sized } from '@svc/testing/size'
import { type Fault, secretKey } from '@svc/testing/stripe/stripe-server'

test('an order goes from the link through the payment to the install', async () => {
  const { short_hash } = await scene.newOffer()
  const order = await scene.newOrder(short_hash)
  expect(await scene.order(order)).toMatchObject({ checkout: { provider: 'stripe', refund: null } })
  const { status, body } = await scene.send('POST', `/orders/${order}/checkout`)
  expect({ status, body }).toEqual({
    status: 200,
    body: { provider: 'stripe', url: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//) },
  })
  const [session] = scene.stripe.openSessions(order)
  const publicUrl = scene.stack.stack.gateways[0]?.url
  expect(session).toMatchObject({
    url: body.url,
    mode: 'subscription',
    amount_total: 5000,
    currency: 'usd',
    client_reference_id: order,
    customer_email: null,
    metadata: { order_id: order, attempt: '1' },
    success_url: `${publicUrl}/orders/${order}`,
    cancel_url: `${publicUrl}/orders/${order}`,
    // When the order does: in two hours.
    expires_at: (await scene.order(order)).expires_at,
  })
  expect(await scene.deliver(scene.deliverPayment(session as never))).toBe(200)
  const paid = await scene.order(order)
  expect(paid).toMatchObject({
    state: 'completed',
    install_id: expect.stringMatching(/^inst_/),
    checkout: { refund: null },
  })
  expect((await scene.send('GET', '/installs')).body.data[0]).toMatchObject({
    id: paid.install_id,
    order_id: order,
  })
  expect(statusAndProblems(await scene.send('POST', `/orders/${order}/checkout`))).toEqual([409, '40910'])
})

test('Stripe gets the verified address', async () => {
  const { dev } = scene.stack
  const owner = scene.as(dev.owner.session_token, { 'svc-context': dev.workspace_id })
  const { short_hash } = await scene.newOffer()
  const order = await scene.newOrder(short_hash, owner)
  await owner('POST', `/orders/${order}/checkout`)
  expect(scene.stripe.openSessions(order)[0]?.customer_email).toBe(dev.owner.email)
})

test.each(everything ? [1, 30, 1440] : [1, 1440])(
  'an order with %d minutes left gets a session of a length that Stripe permits',
  async minutes => {
    const { short_hash } = await scene.newOffer({ order_ttl_minutes: minutes })
    const order = await scene.newOrder(short_hash)
    const { expires_at } = await scene.begin(order)
    const left = expires_at - Date.now() / 1000
    expect(left).toBeGreaterThan(30 * 60)
    expect(left).toBeLessThan(24 * 3600)
  },
)

test('a payment can begin only after the seller has approved', async () => {
  const { short_hash } = await scene.newOffer({}, { approval: 'manual' })
  const { body } = await scene.send('POST', `/i/${short_hash}/orders`, {})
  await scene.send('POST', `/orders/${body.id}/submit`, { field_values: {} })
  expect(statusAndProblems(await scene.send('POST', `/orders/${body.id}/checkout`))).toEqual([409, '40910'])
  expect((await scene.own('POST', `/orders/${body.id}/approve`)).body.state).toBe('awaiting_checkout')
  expect((await scene.begin(body.id)).client_reference_id).toBe(body.id)
})

test('a price of zero completes the session without a payment', async () => {
  const pricing = { kind: 'fixed', currency: 'usd', interval: 'year', unit_amount: 0 }
  const { short_hash } = await scene.newOffer({}, { pricing })
  const order = await scene.newOrder(short_hash)
  const session = await scene.begin(order)
  expect(await scene.deliver(scene.deliverPayment(session))).toBe(200)
  expect(session.payment_status).toBe('no_payment_required')
  expect(await scene.state(order)).toBe('completed')
})

test("another workspace's order cannot be paid, and the seller cannot confirm a payment that Stripe handles", async () => {
  const { order } = await scene.newDueOrder()
  for (const id of [order, 'order_01h00000000000000000000000', 'x']) {
    expect(statusAndProblems(await scene.own('POST', `/orders/${id}/checkout`))).toEqual([404, '40402'])
  }
  expect(statusAndProblems(await scene.own('POST', `/orders/${order}/confirm_payment`))).toEqual([
    409,
    '40915',
  ])
})

describe('one session for an order', () => {
  test('for any number of concurrent requests to both replicas, and for repeated ones', async () => {
    const { short_hash } = await scene.newOffer()
    const order = await scene.newOrder(short_hash)
    const answers = await Promise.all(
      Array.from({ length: sized(20, 100) }, () => scene.send('POST', `/orders/${order}/checkout`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1)
    expect(scene.stripe.openSessions(order)).toHaveLength(1)
    const asked = scene.stripe.asked('POST /v1/checkout/sessions')
    expect((await scene.begin(order)).url).toBe(answers[0]?.body.url)
    expect(scene.stripe.asked('POST /v1/checkout/sessions')).toBe(asked)
  })

  test.each([
    { kind: 'cut', status: 200, attempts: 1, sessions: 1 },
    { kind: 'lost', status: 200, attempts: 1, sessions: 1 },
    { kind: 'busy', status: 200, attempts: 1, sessions: 1 },
    { kind: 'html', status: 200, attempts: 1, sessions: 1 },
    // Stripe repeats a 500 for the same key, so the next attempt uses another key.
    { kind: 'error', status: 503, attempts: 2, sessions: 1 },
  ] as const)('after "$kind", and a repetition', async ({ kind, status, attempts, sessions }) => {
    const { short_hash } = await scene.newOffer()
    const order = await scene.newOrder(short_hash)
    scene.stripe.faults.push({ kind, on: 'POST /v1/checkout/sessions', times: 1 })
    const first = await scene.send('POST', `/orders/${order}/checkout`)
    expect(first.status).toBe(status)
    const session = await scene.begin(order)
    if (status === 200) expect(session.url).toBe(first.body.url)
    expect(await scene.sessionsOf(order)).toHaveLength(attempts)
    expect(scene.stripe.openSessions(order)).toHaveLength(sessions)
  })

  test('a slow Stripe is waited for until the deadline; the next request finds the same session', async () => {
    const { short_hash } = await scene.newOffer()
    const order = await scene.newOrder(short_hash)
    const held = latch()
    const fault: Fault = { kind: 'slow', on: 'POST /v1/checkout/sessions', times: 1, until: held.opened }
    scene.stripe.faults.push(fault)
    const first = await (everything
      ? scene.send('POST', `/orders/${order}/checkout`)
      : scene.beginWithin(order, scaled(700)))
    expect(statusAndProblems(first)).toEqual([503, '50301'])
    expect(fault.times).toBe(0)
    expect(scene.stripe.openSessions(order)).toEqual([])
    held.open()
    await waitUntil('the slow one is done', () => scene.stripe.openSessions(order).length === 1)
    const session = await scene.begin(order)
    expect(scene.stripe.openSessions(order)).toEqual([session])
    expect(await scene.sessionsOf(order)).toEqual([{ attempt: 1, id: session.id, state: 'open', tries: 0 }])
  })

  test('another one begins when the first has expired at Stripe, or its payment has failed', async () => {
    const { order, session } = await scene.newDueOrder()
    // There was no event of it.
    await scene.sql`update offers.checkout_sessions set ends_at = 1 where order_id = ${order}`
    const second = await scene.begin(order)
    expect(session.status).toBe('expired')
    expect(second.id).not.toBe(session.id)
    expect(await scene.deliver(scene.event('checkout.session.expired', second))).toBe(200)
    scene.stripe.answer('POST', `/v1/checkout/sessions/${second.id}/expire`, {}, new URLSearchParams())
    const third = await scene.begin(order)
    const waiting = scene.stripe.complete(third.id, true)
    expect(await scene.deliver(scene.event('checkout.session.completed', waiting))).toBe(200)
    expect(await scene.state(order)).toBe('awaiting_checkout')
    // While a payment is processing, the customer is not asked to pay again.
    expect((await scene.send('POST', `/orders/${order}/checkout`)).status).toBe(200)
    expect(scene.stripe.openSessions(order)).toEqual([])
    expect(await scene.deliver(scene.event('checkout.session.async_payment_failed', waiting))).toBe(200)
    const fourth = await scene.begin(order)
    expect(scene.stripe.openSessions(order)).toEqual([fourth])
    await waitUntil('the end of the subscription after the failed payment', async () => {
      const states = (await scene.sessionsOf(order)).map(({ state }) => state)
      return states.join() === 'closed,closed,closed,open'
    })
    expect(await scene.deliver(scene.deliverPayment(fourth))).toBe(200)
    expect(await scene.state(order)).toBe('completed')
  })

  test('an attempt without an answer for minutes is given up, with its key', async () => {
    const { short_hash } = await scene.newOffer()
    const order = await scene.newOrder(short_hash)
    scene.stripe.faults.push({ kind: 'lost', on: 'POST /v1/checkout/sessions', times: 4 })
    expect((await scene.send('POST', `/orders/${order}/checkout`)).status).toBe(503)
    await scene.sql`update offers.checkout_sessions set begun_at = begun_at - 300000 where order_id = ${order}`
    const session = await scene.begin(order)
    expect(session.metadata.attempt).toBe('2')
    expect(scene.stripe.openSessions(order)).toEqual([session])
  })
})

test('neither keys nor what Stripe says about them reach the log', async () => {
  const { short_hash } = await scene.newOffer()
  const order = await scene.newOrder(short_hash)
  await waitUntil('a failure is logged', async () => {
    scene.stripe.faults.push({ kind: 'error', on: 'POST /v1/checkout/sessions', times: 1 })
    await scene.send('POST', `/orders/${order}/checkout`)
    return scene.stack.lines.some(line => line.includes('could not start a checkout'))
  })
  expect(scene.stack.lines.filter(line => line.includes(secretKey) || line.includes('whsec_'))).toEqual([])
})
