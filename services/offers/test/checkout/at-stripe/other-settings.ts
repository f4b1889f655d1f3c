// What a deployment does with orders from before it changed its provider, and with a key that Stripe refuses.
import { programs } from '@svc/local/programs'
import { secretKey } from '@svc/testing/stripe/stripe-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scene, stripeEnv, waitUntil } from '../checkout-scene.ts'

describe('with a key that was revoked', () => {
  beforeEach(() => {
    scene.stripe.faults.push({ kind: 'revoked', on: '', times: Number.POSITIVE_INFINITY })
  })

  test('orders whose payment the seller confirms stay that way', async () => {
    const { short_hash } = await scene.newOffer()
    const order = await scene.newOrder(short_hash)
    await scene.sql`update offers.orders set checkout_provider = 'manual' where id = ${order}`
    const begun = () => scene.stripe.requests.filter(({ line }) => line === 'POST /v1/checkout/sessions')
    const before = begun().length
    expect((await scene.send('POST', `/orders/${order}/checkout`)).body).toEqual({
      provider: 'manual',
      url: null,
    })
    expect((await scene.own('POST', `/orders/${order}/confirm_payment`)).body.state).toBe('completed')
    expect(begun()).toHaveLength(before)
  })

  test('the log reports it without quoting it, and the order keeps its seat', async () => {
    const { short_hash } = await scene.newOffer()
    const order = await scene.newOrder(short_hash)
    const before = scene.stack.lines.length
    const { status, body } = await scene.send('POST', `/orders/${order}/checkout`)
    expect(status).toBe(503)
    expect(JSON.stringify(body)).not.toContain('sk_test')
    await waitUntil('the log line', () =>
      scene.stack.lines.slice(before).some(line => line.includes('could not start a checkout')),
    )
    expect(scene.stack.lines.filter(line => line.includes(secretKey))).toEqual([])
    expect(await scene.state(order)).toBe('awaiting_checkout')
  })
})

describe('switched back to manual, with the secrets still configured', () => {
  let stop: (() => Promise<unknown>) | undefined
  // One replica in place of the running ones.
  beforeAll(async () => {
    const { stack, lines } = scene.stack
    await Promise.all(stack.processes.offers.map(one => one.stop()))
    const start = programs({
      bus: () => stack.bus('offers'),
      publicUrl: stack.gateways[0]?.url ?? '',
      onLine: line => lines.push(line),
      options: { env: stripeEnv(scene.stripe) },
    })
    const env = {
      DATABASE_URL: stack.databaseUrls.offers,
      SEALING_KEYS: stack.secrets.sealing.offers,
      CHECKOUT: 'manual',
    }
    const replica = await start('offers', 'offers', env)
    stop = replica.stop
    await replica.untilReady()
  })
  afterAll(() => stop?.())

  test('orders from the time of Stripe are still paid there', async () => {
    const { short_hash } = await scene.newOffer({ max_uses: 5 })
    const order = await scene.newOrder(short_hash)
    await scene.sql`update offers.orders set checkout_provider = 'stripe' where id = ${order}`
    const session = await scene.begin(order)
    expect(await scene.deliver(scene.deliverPayment(session))).toBe(200)
    expect(await scene.state(order)).toBe('completed')
    const next = await scene.newOrder(short_hash)
    expect((await scene.send('POST', `/orders/${next}/checkout`)).body).toEqual({
      provider: 'manual',
      url: null,
    })
  })
})
