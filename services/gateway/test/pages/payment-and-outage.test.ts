// Payment through Stripe, from the page of an order and back to it; Stripe speaks from 127.0.0.1. Then what people see while
// something of the same product is broken.
import { type TestStack, startTestStack } from '@svc/testing/stack'
import { completed, type FakeStripe, signature, startStripe } from '@svc/testing/stripe-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stripeEnv } from '../../../offers/test/checkout-scene.ts'
import { expectAccessible } from './accessibility.ts'
import { type OfferScene, ordered, paidPolicy, price, setOfferScene } from './offer-scene.ts'
import { heading, press } from './page-scene.ts'

let stripe: FakeStripe
let stack: TestStack
let scene: OfferScene
beforeAll(async () => {
  stripe = await startStripe()
  scene = await setOfferScene(async () => {
    stack = await startTestStack({ env: stripeEnv(stripe) })
    return stack
  })
})
afterAll(async () => {
  await scene?.stop()
  await stripe?.stop()
})

test('a customer is led to the payment by a link, and finds the order confirmed once it is paid', async () => {
  const { path } = await scene.newOffer({ offer: { pricing_request: price }, policy: paidPolicy })
  const { page, complaints } = await scene.visit(path, await scene.newCustomer(), { bypassCSP: false })
  await press(page, 'Order')
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
  // Back from Stripe before its message has come.
  expect(await page.locator('main').innerText()).toContain('the payment is being confirmed')
  const text = completed(stripe.complete(session?.id ?? ''))
  const delivered = await fetch(`${scene.urls[0]}/v1/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature(text) },
    body: text,
  })
  expect(delivered.status).toBe(200)
  await page.getByRole('link', { name: 'Look again' }).click()
  await page.getByRole('heading', { name: 'Your install has started' }).waitFor()
  expect(complaints).toEqual([])
})

test('the page that leads to the payment is accessible', async () => {
  const { path } = await scene.newOffer({ offer: { pricing_request: price }, policy: paidPolicy })
  const { page } = await scene.visit(path, await scene.newCustomer(), { bypassCSP: true })
  await press(page, 'Order')
  await press(page, 'Go to payment')
  expect(await page.title()).toBe('Go to payment – svc')
  await expectAccessible(page)
})

async function sessions(token: string) {
  const response = await fetch(`${scene.urls[0]}/sessions`, {
    headers: { cookie: `__Host-svc_session=${token}` },
    redirect: 'manual',
  })
  return { response, text: await response.text() }
}

// The last, as it ends processes.
test('a fault and an outage are told by a page with the request’s id, and the person stays signed in', async () => {
  const { dev, sql } = stack
  const token = dev.owner.session_token
  expect((await sessions(token)).response.status).toBe(200)

  await sql`alter table auth_tokens.oauth_clients rename to mislaid`
  const fault = await sessions(token)
  await sql`alter table auth_tokens.mislaid rename to oauth_clients`
  expect(fault.response.status).toBe(500)
  expect(fault.text).toContain('Something went wrong on our side')
  expect(fault.text).toContain(fault.response.headers.get('svc-request-id') ?? 'no id')
  expect(fault.text).not.toMatch(/relation|oauth_clients|select/)
  expect((await sessions(token)).response.status).toBe(200)

  await Promise.all(stack.stack.processes['auth-tokens'].map(process => process.stop()))
  const outage = await sessions(token)
  expect(outage.response.status).toBe(503)
  expect(Number(outage.response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(outage.response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(outage.text).toContain('Not available right now')
  for (const { response } of [fault, outage]) {
    expect(response.headers.getSetCookie().join()).not.toContain('svc_session=;')
  }
})
