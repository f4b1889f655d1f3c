// Stripe's page for the customer of an install, and for nobody else.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { createBillingPortal } from '../../src/subscriptions/stripe/create-billing-portal.ts'
import { newCustomer } from '../running-offers.ts'
import { startSubscriptionScene } from './subscription-scene.ts'

const scene = forFile(startSubscriptionScene)

const open = (id: string, workspace: string) =>
  createBillingPortal({ params: { id } } as never, { workspace } as never, scene.portalDeps() as never)

test('the customer opens the page of their own subscription, and one configuration without plans serves all', async () => {
  const [one, other] = [await scene.newPaid('stripe'), await scene.newPaid('stripe')]
  expect(await open(one.id, one.customer.workspace)).toEqual({
    body: { url: `https://billing.stripe.com/p/session/cus_of_${one.subscription}` },
  })
  await open(other.id, other.customer.workspace)
  expect(scene.stripe.configurations).toMatchObject([
    {
      features: { subscription_update: { enabled: 'false' }, subscription_cancel: { mode: 'at_period_end' } },
    },
  ])
})

test('neither the seller nor another customer opens it', async () => {
  const { id } = await scene.newPaid('stripe')
  for (const workspace of [scene.seller, newCustomer().workspace]) {
    await expect(open(id, workspace)).rejects.toMatchObject({ status: 404 })
  }
})

test('what the seller confirms has no such page', async () => {
  const { id, customer } = await scene.newPaid('manual')
  await expect(open(id, customer.workspace)).rejects.toMatchObject({ reason: 'paid_elsewhere' })
})
