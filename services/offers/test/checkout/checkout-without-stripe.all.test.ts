import { startTestStack } from '@svc/testing/stack/stack'
import { expect, onTestFinished, test } from 'vitest'
import { statusAndProblems } from '../http-scene.ts'
import { setCheckoutScene } from './checkout-scene.ts'

test('without Stripe, orders that are to be paid there wait, and there is no webhook', async () => {
  const scene = await setCheckoutScene(() => startTestStack())
  onTestFinished(() => scene.stop())
  const { short_hash } = await scene.newOffer({ max_uses: 5 })
  expect(await scene.deliver('{}')).toBe(404)
  const order = await scene.newOrder(short_hash)
  await scene.sql`update offers.orders set checkout_provider = 'stripe' where id = ${order}`
  expect(statusAndProblems(await scene.send('POST', `/orders/${order}/checkout`))).toEqual([503, '50301'])
  expect(scene.stripe.requests).toEqual([])
  expect((await scene.send('POST', `/orders/${order}/cancel`)).body.state).toBe('cancelled')
})
