// Payment through Stripe, from the page of an order and back to it. Stripe is simulated on 127.0.0.1.
import { completed, signature } from '@svc/testing/stripe/stripe-server'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { expectAccessible } from '../web/accessibility.ts'
import { ordered, paidPolicy, price, setOfferScene } from '../web/store/offer/offer-scene.ts'
import { heading, press, orderButton } from '../web/page-scene.ts'
import { joined, stripe } from './scene.ts'

const scene = forFile(() => setOfferScene(joined))

test('a customer follows a link to the payment, and finds the order confirmed once it is paid', async () => {
  const { path } = await scene.newOffer({ offer: { pricing_request: price }, policy: paidPolicy })
  const { page, complaints } = await scene.visit(path, await scene.newCustomer(), { bypassCSP: false })
  await press(page, orderButton)
  await ordered(page)
  const order = page.url()
  expect(await heading(page)).toBe('Waiting for payment')
  await press(page, 'Go to payment')
  const [session] = [...stripe.sessions.values()]
  expect(await heading(page)).toBe('Go to payment')
  expect(await page.getByRole('link', { name: 'Pay', exact: true }).getAttribute('href')).toBe(session?.url)
  expect(await page.locator('main').innerText()).toContain('€1,499.00 per month')
  await page.getByRole('link', { name: 'Back to the order' }).click()
  await page.waitForURL(order)
  // Back from Stripe before its message has arrived.
  expect(await page.locator('main').innerText()).toContain('your payment is being confirmed')
  const text = completed(stripe.complete(session?.id ?? ''))
  const delivered = await fetch(`${scene.urls[0]}/v1/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature(text) },
    body: text,
  })
  expect(delivered.status).toBe(200)
  await page.getByRole('link', { name: 'Refresh' }).click()
  await page.getByRole('heading', { name: 'Your install has started' }).waitFor()
  expect(complaints).toEqual([])
})

test('the page that leads to the payment is accessible', async () => {
  const { path } = await scene.newOffer({ offer: { pricing_request: price }, policy: paidPolicy })
  const { page } = await scene.visit(path, await scene.newCustomer(), { bypassCSP: true })
  await press(page, orderButton)
  await press(page, 'Go to payment')
  expect(await page.title()).toBe('Go to payment – svc')
  await expectAccessible(page)
})
