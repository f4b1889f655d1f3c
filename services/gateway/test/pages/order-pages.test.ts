// The page of an order in each of its states, and what a customer does there.
import { joinProduct } from '@svc/testing/join-product'
import { storeAnyTime } from '@svc/testing/store-any-time'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualPolicy, type OfferScene, ordered, paidPolicy, price, setOfferScene } from './offer-scene.ts'
import { heading, press } from './page-scene.ts'

let scene: OfferScene
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
})
afterAll(() => scene?.stop())

const main = (page: Page) => page.locator('main').innerText()

async function order(policy: object) {
  const customer = await scene.newCustomer()
  const properties = {
    seats: { type: 'integer', title: 'Seats' },
    secret: { type: 'string', title: 'Secret', format: 'password' },
  }
  const offer = await scene.newOffer({ schema: { properties }, offer: { pricing_request: price }, policy })
  const { page, complaints } = await scene.visit(offer.path, customer)
  await page.getByLabel('Seats').fill('2')
  await page.getByLabel('Secret').fill('hunter2')
  await page.getByRole('button', { name: 'Order' }).click()
  await ordered(page)
  const [{ id } = { id: '' }] = await scene.orders(offer.hash)
  return { page, complaints, offer, id }
}

const buttons = (page: Page) => page.locator('main :is(button, a)').allInnerTexts()

test('waits for the seller, with what was ordered, and completes when they approve', async () => {
  const { page, id, complaints } = await order(manualPolicy)
  expect(await heading(page)).toBe('Waiting for the seller')
  const text = await main(page)
  for (const fact of ['Fast Queues', '€1,499.00 per month', 'Acme', 'Seats', '2', id, 'Kept until'])
    expect(text).toContain(fact)
  expect(text).toMatch(/in (1 hour|2 hours)/)
  expect(text).not.toContain('hunter2')
  expect(await buttons(page)).toEqual(['Look again', 'Cancel the order', 'Back to the offer'])
  expect((await scene.send('POST', `/orders/${id}/approve`)).status).toBe(200)
  await page.getByRole('link', { name: 'Look again' }).click()
  await page.getByRole('heading', { name: 'Your install has started' }).waitFor()
  expect(await buttons(page)).toEqual(['Back to the offer'])
  expect(complaints).toEqual([])
})

test('shows no values to a colleague for whom the offer is not, and the rest of the order', async () => {
  const [customer, colleague] = [await scene.newCustomer(), await scene.newCustomer([])]
  await scene.stack.sql`
    insert into auth_tokens.memberships (workspace_id, user_id, role)
    values (${customer.workspaces[0] ?? ''}, ${colleague.id}, 'member')`
  const properties = { secret: { type: 'string', title: 'Secret', format: 'password' } }
  const field_values = { secret: { value: 'hunter2', locked: false } }
  const { path } = await scene.newOffer({
    schema: { properties },
    offer: { allowed_emails: [customer.email], field_values },
  })
  const { page } = await scene.visit(path, customer)
  await page.getByRole('button', { name: 'Order' }).click()
  await ordered(page)
  expect(await main(page)).toContain('not shown')
  const other = await scene.visit(new URL(page.url()).pathname, colleague)
  expect(await heading(other.page)).toBe('Your install has started')
  const text = await main(other.page)
  expect(text).toContain('They are shown only to those for whom the offer is.')
  expect(text).not.toContain('hunter2')
})

test('says why the seller has rejected it', async () => {
  const { page, id } = await order(manualPolicy)
  await scene.send('POST', `/orders/${id}/reject`, { reason: 'No capacity <b>left</b>.\nSorry.' })
  await page.reload()
  expect(await heading(page)).toBe('The seller has rejected your order')
  expect(await main(page)).toContain('No capacity <b>left</b>.\nSorry.')
})

describe('payment', () => {
  test('that the seller confirms is waited for', async () => {
    const { page, id } = await order(paidPolicy)
    expect(await heading(page)).toBe('Waiting for payment')
    expect(await main(page)).toContain('They tell you how to pay.')
    expect(await buttons(page)).toEqual(['Look again', 'Cancel the order', 'Back to the offer'])
    await scene.send('POST', `/orders/${id}/confirm_payment`)
    await page.reload()
    expect(await heading(page)).toBe('Your install has started')
  })

  test('elsewhere has a button, and may be under way already when one comes back', async () => {
    const { page, id } = await order(paidPolicy)
    await scene.stack.sql`update offers.orders set checkout_provider = 'stripe' where id = ${id}`
    await page.reload()
    expect(await main(page)).toContain('the payment is being confirmed')
    expect(await buttons(page)).toContain('Go to payment')
  })
})

test('is cancelled by its button, and once more does no harm', async () => {
  const { page, id } = await order(manualPolicy)
  const late = await page.context().newPage()
  await late.goto(page.url())
  await press(page, 'Cancel the order')
  expect(await heading(page)).toBe('Your order was cancelled')
  await press(late, 'Cancel the order')
  expect(late.url()).toBe(page.url())
  expect(await heading(late)).toBe('Your order was cancelled')
  expect(await buttons(late)).toEqual(['Back to the offer'])
  expect(await scene.stack.sql`select state from offers.orders where id = ${id}`).toEqual([
    { state: 'cancelled' },
  ])
})

test('is expired when its time is over, and the offer can be ordered again', async () => {
  const { page, id, offer } = await order(manualPolicy)
  await scene.stack.sql`update offers.orders set expires_at = 1 where id = ${id}`
  await page.reload()
  expect(await heading(page)).toBe('Your order has expired')
  await page.getByRole('link', { name: 'Back to the offer' }).click()
  await page.getByLabel('Seats').fill('3')
  await page.getByRole('button', { name: 'Order' }).click()
  await ordered(page)
  expect(await scene.orders(offer.hash)).toHaveLength(2)
})

test('is told at the offer while it is under way', async () => {
  const { path } = await scene.newOffer({
    offer: { max_uses: null, pricing_request: price },
    policy: manualPolicy,
  })
  const { page } = await scene.visit(path, await scene.newCustomer())
  await press(page, 'Order')
  const order = page.url()
  await page.getByRole('link', { name: 'Back to the offer' }).click()
  await page.getByRole('link', { name: 'See your order' }).click()
  await page.waitForURL(order)
})

test.each(['cancel', 'checkout'])('…/%s loaded by its address leads to the order', async step => {
  const { page, id } = await order(manualPolicy)
  const path = `/orders/${id}`
  await page.goto(`${scene.urls[0]}${path}/${step}`)
  expect(new URL(page.url()).pathname).toBe(path)
  expect(await heading(page)).toBe('Waiting for the seller')
})

test('an offer whose time no calendar has is shown and ordered as any other', async () => {
  const offer = await scene.newOffer({ offer: { expires_at: 253_402_300_799 } })
  const { page, complaints } = await scene.visit(offer.path, await scene.newCustomer())
  await page.getByText('31 Dec 9999, 23:59 UTC').waitFor()
  await storeAnyTime(scene.stack.sql, offer.id, Number.MAX_SAFE_INTEGER)
  await page.reload()
  expect(await main(page)).toMatch(/Offer ends\s+Later than any date/)
  await press(page, 'Order')
  await ordered(page)
  expect(await heading(page)).toBe('Your install has started')
  expect(complaints).toEqual([])
})
