// What a deployment does with orders from before it had the provider that it has now, and with a key that is not taken.
import { programs } from '@svc/local/programs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scene, stripeEnv, waitUntil } from '../checkout-scene.ts'

/** For the tests beside it, one replica with other settings in place of those that run. */
function useReplica(env: Record<string, string>): void {
  let stop: (() => Promise<unknown>) | undefined
  beforeAll(async () => {
    const { stack, lines } = scene.stack
    await Promise.all(stack.processes.offers.map(one => one.stop()))
    const start = programs({
      bus: stack.bus,
      publicUrl: stack.gateways[0]?.url ?? '',
      onLine: line => lines.push(line),
      options: { env: stripeEnv(scene.stripe) },
    })
    const replica = await start('offers', 'offers', { DATABASE_URL: stack.databaseUrls.offers, ...env })
    stop = replica.stop
    await replica.untilReady()
  })
  afterAll(() => stop?.())
}

describe('back at manual, with the secrets still there', () => {
  useReplica({ CHECKOUT: 'manual' })

  test('orders that were to be paid at Stripe are', async () => {
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

describe('with a key that was revoked', () => {
  useReplica({ STRIPE_SECRET_KEY: 'sk_test_aKeyThatWasRevoked' })

  test('orders whose payment the seller confirms stay so', async () => {
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

  test('it is told without being quoted, and the order keeps its seat', async () => {
    const { short_hash } = await scene.newOffer()
    const order = await scene.newOrder(short_hash)
    const before = scene.stack.lines.length
    const { status, body } = await scene.send('POST', `/orders/${order}/checkout`)
    expect(status).toBe(503)
    expect(JSON.stringify(body)).not.toContain('sk_test')
    await waitUntil('it is told', () =>
      scene.stack.lines.slice(before).some(line => line.includes('a checkout could not be begun')),
    )
    expect(scene.stack.lines.filter(line => line.includes('aKeyThatWasRevoked'))).toEqual([])
    expect(await scene.state(order)).toBe('awaiting_checkout')
  })
})
