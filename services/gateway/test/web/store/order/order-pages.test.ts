// The page of an order in each of its states, and what a customer does there.

import { everything } from '@svc/testing/size'
import { renderToString } from 'preact-render-to-string'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { When } from '../../../../src/web/kit/ui/when.tsx'
import {
  type Customer,
  manualPolicy,
  ordered,
  paidPolicy,
  price,
  setOfferScene,
} from '../offer/offer-scene.ts'
import { cancelOrder, heading, press, orderButton } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'
import { TextTab } from '../../text-browser.ts'

const scene = forFile(setOfferScene)

const main = (page: Tab) => page.locator('main').innerText()

/** A person at an offer: in Chromium, or in `npm test` with the values put where the form's script puts them. */
async function visit(path: string, customer: Customer, values?: Record<string, string>) {
  if (!everything) {
    const page = await scene.visitPlain(path, customer)
    if (page instanceof TextTab) page.putValues(values && { ...values, seats: Number(values.seats) })
    return page
  }
  const { page } = await scene.visit(path, customer)
  await fillIn(page, values)
  return page
}

async function fillIn(page: Tab, values: Record<string, string> = {}) {
  for (const [name, value] of Object.entries(values)) await page.getByLabel(titles[name] ?? '').fill(value)
}

const titles: Record<string, string> = { seats: 'Seats', secret: 'Secret' }
const values = { seats: '2', secret: 'hunter2' }
const properties = {
  seats: { type: 'integer', title: 'Seats' },
  secret: { type: 'string', title: 'Secret', format: 'password' },
}
const offerOf = (policy: object, instructions?: string) =>
  scene.newOffer({ schema: { properties }, offer: { pricing_request: price }, policy, instructions })

async function order(policy: object) {
  const customer = await scene.newCustomer()
  const offer = await offerOf(policy)
  const page = await visit(offer.path, customer, values)
  await press(page, orderButton)
  await ordered(page)
  const [{ id } = { id: '' }] = await scene.orders(offer.hash)
  return { page, customer, offer, id }
}

const buttons = (page: Tab) => page.locator('main :is(button, a)').allInnerTexts()

test('waits for the seller, with what was ordered, and says once they approve what to do now, with the values', async () => {
  const instructions = [
    '# Start\n\n[Docs](https://docs.example) and [more](javascript:alert(1)) <script>alert(1)</script>',
    '```sh\nrun {{ field.seats }} {{ field.secret }} {{ install.id }}\n```',
  ].join('\n\n')
  const offer = await offerOf(manualPolicy, instructions)
  const { page, complaints } = await scene.visit(offer.path, await scene.newCustomer())
  await fillIn(page, values)
  await page.getByRole('button', { name: orderButton }).click()
  await ordered(page)
  const [{ id } = { id: '' }] = await scene.orders(offer.hash)
  expect(await heading(page)).toBe('Waiting for the seller')
  const text = await main(page)
  for (const fact of [
    'Fast Queues',
    '€1,499.00 per month',
    'Acme',
    'Seats',
    '2',
    id,
    'Reserved for you until',
  ])
    expect(text).toContain(fact)
  expect(text).toMatch(/in (1 hour|2 hours)/)
  expect(text).toMatch(/Details\s+\(done\)\s+Approval\s+\(now\)\s+Install\s+\(later\)/)
  expect(text).toContain('This page updates automatically.')
  expect(text).toContain('Sold by Demo')
  expect(text).not.toContain('hunter2')
  expect(await buttons(page)).toEqual(['Refresh', 'Cancel order', 'Back to the offer'])
  expect((await scene.send('POST', `/orders/${id}/approve`)).status).toBe(200)
  // Nothing is clicked: the page follows its order.
  await page.getByRole('heading', { name: 'Your install has started' }).waitFor()
  expect(await buttons(page)).toEqual(['Docs', 'Copy', 'View install', 'Receipt', 'Back to the offer'])
  const section = page.getByRole('region', { name: 'What to do now' })
  expect(await section.getByRole('heading', { level: 3 }).innerText()).toBe('Start')
  expect(await section.getByRole('link').evaluateAll(all => all.map(one => one.outerHTML))).toEqual([
    '<a href="https://docs.example/" rel="noopener noreferrer nofollow">Docs</a>',
  ])
  expect(await section.innerText()).toContain('<script>alert(1)</script>')
  const code = await section.locator('pre').innerText()
  expect(code).toMatch(/^run 2 •{8} inst_\w{26}$/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await section.getByRole('button', { name: 'Copy' }).click()
  await section.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)
  expect(await page.content()).not.toContain('hunter2')
  expect(complaints).toEqual([])
})

test('shows a colleague whom the offer does not admit no values, but the rest of the order', async () => {
  const [customer, colleague] = [await scene.newCustomer(), await scene.newCustomer([])]
  await scene.stack.sql`
    insert into auth_tokens.memberships (workspace_id, user_id, role)
    values (${customer.workspaces[0] ?? ''}, ${colleague.id}, 'member')`
  const field_values = { secret: { value: 'hunter2', locked: false } }
  const { path } = await scene.newOffer({
    schema: { properties: { secret: properties.secret } },
    offer: { allowed_emails: [customer.email], field_values },
  })
  const page = await visit(path, customer)
  if (page instanceof TextTab) page.putValues({})
  await press(page, orderButton)
  await ordered(page)
  expect(await main(page)).toContain('••••••••')
  const other = await scene.visitPlain(new URL(page.url()).pathname, colleague)
  expect(await heading(other)).toBe('Your install has started')
  const text = await main(other)
  expect(text).toContain('Only people this offer is for can see these values.')
  expect(text).not.toContain('hunter2')
})

test('says why the seller has rejected it', async () => {
  const { page: orderer, id, customer } = await order(manualPolicy)
  await scene.send('POST', `/orders/${id}/reject`, { reason: 'No capacity <b>left</b>.\nSorry.' })
  // The layout gives it its lines.
  const { page } = await scene.openAs(customer)
  await page.goto(orderer.url())
  expect(await heading(page)).toBe('The seller rejected your order')
  expect(await main(page)).toContain('No capacity <b>left</b>.\nSorry.')
})

describe('payment', () => {
  test('that the seller confirms is awaited', async () => {
    const { page, id } = await order(paidPolicy)
    expect(await heading(page)).toBe('Waiting for payment')
    expect(await main(page)).toContain('They will tell you how to pay.')
    expect(await buttons(page)).toEqual(['Refresh', 'Cancel order', 'Back to the offer'])
    await scene.send('POST', `/orders/${id}/confirm_payment`)
    await page.reload()
    expect(await heading(page)).toBe('Your install has started')
  })

  test('elsewhere has a button, and may already be in progress when the customer returns', async () => {
    const { page, id } = await order(paidPolicy)
    await scene.stack.sql`update offers.orders set checkout_provider = 'stripe' where id = ${id}`
    await page.reload()
    expect(await main(page)).toContain('your payment is being confirmed')
    expect(await buttons(page)).toContain('Go to payment')
  })
})

test('is cancelled after a question, and a second time does no harm', async () => {
  const { page, id } = await order(manualPolicy)
  const path = page.url()
  const late = await page.context().newPage()
  await late.goto(`${path}/cancel`)
  await page.getByRole('link', { name: 'Cancel order' }).click()
  await page.getByRole('heading', { name: 'Cancel this order?' }).waitFor()
  await page.getByRole('link', { name: 'Keep order' }).click()
  await page.waitForURL(path)
  expect(await heading(page)).toBe('Waiting for the seller')
  await cancelOrder(page)
  expect(await heading(page)).toBe('Your order was cancelled')
  expect(await main(page)).toMatch(/Details\s+\(done\)\s+Approval\s+\(ended here\)/)
  await press(late, 'Cancel order')
  expect(late.url()).toBe(path)
  expect(await heading(late)).toBe('Your order was cancelled')
  expect(await buttons(late)).toEqual(['Back to the offer'])
  // There is nothing to ask any more.
  await late.goto(`${path}/cancel`)
  expect(late.url()).toBe(path)
  expect(await scene.stack.sql`select state from offers.orders where id = ${id}`).toEqual([
    { state: 'cancelled' },
  ])
})

test('that has completed has a receipt, for the customer alone', async () => {
  const { page, id, customer } = await order(paidPolicy)
  const path = `/orders/${id}`
  await page.goto(`${scene.urls[0]}${path}/receipt`)
  expect(new URL(page.url()).pathname).toBe(path)
  await scene.send('POST', `${path}/confirm_payment`)
  const { page: receipt, complaints } = await scene.visit(`${path}/receipt`, customer)
  const text = await main(receipt)
  const reference = `${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase()
  for (const fact of [
    'Sold by Demo',
    'Acme',
    customer.email,
    'Fast Queues',
    '€1,499.00 per month',
    id,
    reference,
  ])
    expect(text).toContain(fact)
  expect(text).toContain('Paid. The seller has confirmed the payment.')
  expect(await receipt.getByRole('button', { name: 'Print' }).isVisible()).toBe(true)
  await receipt.emulateMedia({ media: 'print' })
  expect(await receipt.locator('.top, .bottom, .actions').filter({ visible: true }).count()).toBe(0)
  expect(complaints).toEqual([])
  for (const other of [await scene.newCustomer(), scene.stack.dev.owner]) {
    const page = await scene.visitPlain(`${path}/receipt`, { ...other, id: '' })
    expect(await heading(page)).toBe('Not found')
  }
})

test('has expired when its time is up, and the offer can be ordered again', async () => {
  const { page, id, offer, customer } = await order(manualPolicy)
  await scene.stack.sql`update offers.orders set expires_at = 1 where id = ${id}`
  await page.reload()
  expect(await heading(page)).toBe('Your order has expired')
  await page.getByRole('link', { name: 'Order again' }).click()
  await page.waitForURL(scene.urls[0] + offer.path)
  const again = await visit(offer.path, customer, { seats: '3' })
  await press(again, orderButton)
  await ordered(again)
  expect(await scene.orders(offer.hash)).toHaveLength(2)
})

test('is shown at the offer while it is in progress', async () => {
  const { path } = await scene.newOffer({
    offer: { max_uses: null, pricing_request: price },
    policy: manualPolicy,
  })
  const page = await scene.visitPlain(path, await scene.newCustomer())
  await press(page, orderButton)
  const order = page.url()
  await page.getByRole('link', { name: 'Back to the offer' }).click()
  await page.getByRole('link', { name: 'View your order' }).waitFor()
  expect(await main(page)).toContain('Waiting for approval')
  expect(await page.getByRole('button', { name: orderButton }).count()).toBe(0)
  await page.getByRole('link', { name: 'View your order' }).click()
  await page.waitForURL(order)
})

test('the step of paying opened as an address leads to the order', async () => {
  const { page, id } = await order(manualPolicy)
  const path = `/orders/${id}`
  await page.goto(`${scene.urls[0]}${path}/checkout`)
  expect(new URL(page.url()).pathname).toBe(path)
  expect(await heading(page)).toBe('Waiting for the seller')
})

test('times are by the clock of whoever reads, with UTC as their title, to the end of the calendar', async () => {
  const offer = await scene.newOffer({ offer: { expires_at: 253_402_300_799 } })
  const tokyo = { timezoneId: 'Asia/Tokyo' }
  const { page, complaints } = await scene.visit(offer.path, await scene.newCustomer(), tokyo)
  const ends = page.locator('.when').first()
  expect(await ends.locator('time').innerText()).toBe('1 Jan 10000, 08:59')
  expect(await ends.getAttribute('title')).toBe('31 Dec 9999, 23:59 UTC')
  await press(page, orderButton)
  await ordered(page)
  for (const path of [page.url(), `${scene.urls[0]}/orders?relation=placed`]) {
    await page.goto(path)
    const ordered = page.locator('.when').first()
    const [shown, title] = [await ordered.locator('time').innerText(), await ordered.getAttribute('title')]
    expect(Date.parse(`${shown} UTC`) - Date.parse(title ?? '')).toBe(9 * 60 * 60 * 1000)
  }
  expect(complaints).toEqual([])
})

test.each([
  [Number.MAX_SAFE_INTEGER, 'Unknown date'],
  [Number.MIN_SAFE_INTEGER, 'Unknown date'],
])('a time beyond the calendar does not break the page: %d', (at, text) => {
  expect(renderToString(When({ at, now: 1_800_000_000 }))).toBe(text)
})
