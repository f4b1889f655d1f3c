// Which provider a deployment has, and what it does with orders from before it had that provider.
import { newSealingKey } from '@svc/runtime/seal'
import { ConfigError } from '@svc/runtime/config'
import { joinProduct } from '@svc/testing/stack/join-product'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readOffersConfig } from '../../src/config.ts'
import { setCheckoutScene } from './checkout-scene.ts'
import { secretKey, webhookSecret } from '@svc/testing/stripe/stripe-server'

// With Stripe: at-stripe/other-settings.ts. Without its secrets: checkout-without-stripe.all.test.ts.
test('by default the seller confirms payments', async () => {
  const scene = await setCheckoutScene(joinProduct)
  onTestFinished(() => scene.stop())
  const { short_hash } = await scene.newOffer({ max_uses: 5 })
  const order = await scene.newOrder(short_hash)
  for (let n = 0; n < 2; n++) {
    const { status, body } = await scene.send('POST', `/orders/${order}/checkout`)
    expect({ status, body }).toEqual({ status: 200, body: { provider: 'manual', url: null } })
  }
  expect((await scene.own('POST', `/orders/${order}/confirm_payment`)).body).toMatchObject({
    state: 'completed',
    checkout: { provider: 'manual', refund: null },
  })
})

describe('the configuration', () => {
  const base = {
    NATS_URL: 'nats://127.0.0.1:4222',
    NATS_USER: 'offers',
    NATS_PASSWORD: 'password',
    DATABASE_URL: 'postgres://offers:password@127.0.0.1/svc',
    SEALING_KEYS: newSealingKey('1'),
  }
  const secrets = { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }

  test.each([
    [{}, 'manual', false],
    [{ CHECKOUT: '' }, 'manual', false],
    [{ ...secrets }, 'manual', true],
    [{ CHECKOUT: 'stripe', ...secrets }, 'stripe', true],
    [
      {
        CHECKOUT: 'stripe',
        ...secrets,
        STRIPE_SECRET_KEY: 'rk_live_1',
        STRIPE_API_BASE: 'http://127.0.0.1:1/',
      },
      'stripe',
      true,
    ],
  ])('%j: %s', (env, provider, stripe) => {
    const config = readOffersConfig({ ...base, ...env })
    expect([config.CHECKOUT, config.stripe !== undefined]).toEqual([provider, stripe])
  })

  test.each([
    [{ CHECKOUT: 'paypal' }, ['CHECKOUT']],
    [{ CHECKOUT: 'stripe' }, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']],
    [{ CHECKOUT: 'stripe', STRIPE_SECRET_KEY: secretKey }, ['STRIPE_WEBHOOK_SECRET']],
    [{ CHECKOUT: 'stripe', STRIPE_WEBHOOK_SECRET: webhookSecret }, ['STRIPE_SECRET_KEY']],
    [{ STRIPE_SECRET_KEY: secretKey }, ['STRIPE_WEBHOOK_SECRET']],
    [{ ...secrets, STRIPE_SECRET_KEY: 'pk_test_public' }, ['STRIPE_SECRET_KEY']],
    [{ ...secrets, STRIPE_WEBHOOK_SECRET: 'sk_test_1' }, ['STRIPE_WEBHOOK_SECRET']],
    [{ ...secrets, STRIPE_API_BASE: 'api.stripe.com' }, ['STRIPE_API_BASE']],
  ])('%j is refused for %j, without a value', (env, names) => {
    const read = () => readOffersConfig({ ...base, ...env })
    expect(read).toThrow(ConfigError)
    const [, ...problems] = messageOf(read).split('\n')
    expect(problems.map(line => line.trim().split(':')[0])).toEqual(names)
    for (const value of Object.values(env))
      if (value.includes('_')) expect(messageOf(read)).not.toContain(value)
  })

  function messageOf(read: () => unknown): string {
    try {
      read()
    } catch (error) {
      return String((error as Error).message)
    }
    return ''
  }
})
