import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { manualPolicy, setOfferScene } from '../../store/offer/offer-scene.ts'
import { heading, type Person, press } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'
import {
  alsoCustomer,
  bothSteps,
  hostileName,
  manualPayment,
  newSeller,
  placeOrder,
  secret,
} from './seller-scene.ts'

const scene = forFile(setOfferScene)

const main = (page: Tab) => page.locator('main').innerText()
const links = (page: Tab) => page.locator('section[aria-labelledby="next-title"] a').allInnerTexts()
const open = (path: string, person: Person) => scene.visitPlain(path, person)
const stateOf = async (id: string) =>
  (await scene.stack.sql<{ state: string }[]>`select state from offers.orders where id = ${id}`)[0]?.state

async function decide(page: Tab, step: string, button = step) {
  await page.getByRole('link', { name: step, exact: true }).click()
  await page.getByRole('button', { name: button, exact: true }).waitFor()
  return press(page, button)
}

test('an order shows who ordered what on which terms, and never a password', async () => {
  const { id, path, customer } = await placeOrder(scene, bothSteps)
  const page = await open(path, await newSeller(scene))
  expect(await heading(page)).toMatch(/^Order [0-9A-Z]{4}-[0-9A-Z]{4} Waiting for approval$/)
  const text = await main(page)
  for (const fact of [
    'Fast Queues',
    '€1,499.00 per month',
    customer.email,
    customer.workspaces[0] ?? '',
    id,
    'eu <b>north</b>',
    '••••••••',
    'Met at the fair.',
    'Globex, crm-7',
    'The seller reviews every order first',
    'Order placed',
    'Details submitted',
  ])
    expect(text).toContain(fact)
  expect(await page.content()).not.toContain(secret)
  expect(await links(page)).toEqual(['Approve', 'Reject'])
})

test('approval, payment and completion are decided, each after a question, and the history says by whom', async () => {
  const { id, path } = await placeOrder(scene, bothSteps)
  const seller = await newSeller(scene)
  const page = await open(path, seller)
  await decide(page, 'Approve')
  expect(await stateOf(id)).toBe('awaiting_checkout')
  expect(await links(page)).toEqual(['Confirm payment', 'Cancel order'])
  expect(await main(page)).toContain('Confirm the payment once you’ve received it.')
  await decide(page, 'Confirm payment')
  expect(await stateOf(id)).toBe('completed')
  expect(await links(page)).toEqual([])
  await expect
    .poll(async () => {
      await page.reload()
      return main(page)
    })
    .toMatch(
      new RegExp(
        `Approved by ${seller.email}[^]*Payment confirmed, install started by ${seller.email}`.replaceAll(
          '.',
          '\\.',
        ),
      ),
    )
})

test('a rejection has a reason that the customer reads, whatever is in it', async () => {
  const { path, customer } = await placeOrder(scene, manualPolicy)
  const page = await open(path, await newSeller(scene))
  await page.getByRole('link', { name: 'Reject', exact: true }).click()
  await page.getByLabel('Reason').fill('x'.repeat(501))
  const refused = await press(page, 'Reject')
  expect(refused.status()).toBe(400)
  expect(await main(page)).toContain('Must have at most 500 characters.')
  await page.getByLabel('Reason').fill('No capacity <b>left</b>.')
  await press(page, 'Reject')
  expect(await main(page)).toContain('No capacity <b>left</b>.')
  const theirs = await open(path, customer)
  expect(await heading(theirs)).toBe('The seller rejected your order')
  expect(await main(theirs)).toContain('No capacity <b>left</b>.')
})

test('the page shows by itself what has become of the order', async () => {
  const { id, received } = await placeOrder(scene, manualPolicy)
  const { page, context } = await scene.open({ javaScriptEnabled: true })
  await scene.admit(context, await newSeller(scene))
  await page.goto(scene.urls[0] + received)
  await page.getByText('This page updates automatically.').waitFor()
  await scene.send('POST', `/orders/${id}/approve`)
  await page.getByText('The install has started').waitFor()
})

test('cancelled by the seller', async () => {
  const { id, path } = await placeOrder(scene, manualPayment)
  const page = await open(path, await newSeller(scene))
  await decide(page, 'Cancel order')
  expect(await stateOf(id)).toBe('cancelled')
  expect(await main(page)).toContain('The seller cancelled the order.')
})

describe('a step that comes too late', () => {
  test('says what somebody else did before, and changes nothing', async () => {
    const { id, path, received } = await placeOrder(scene, manualPolicy)
    const [first, second] = [await newSeller(scene), await newSeller(scene)]
    const [page, stale] = [await open(path, first), await open(`${received}/reject`, second)]
    await decide(page, 'Approve')
    const answer = await press(stale, 'Reject')
    expect(answer.status()).toBe(409)
    expect(await stale.getByRole('alert').innerText()).toMatch(
      /^This order has already changed: (approved, install|install) started.* “Reject” wasn’t applied\.$/,
    )
    expect(await stateOf(id)).toBe('completed')
  })

  test('a question that is no longer one leads to the order', async () => {
    const { received } = await placeOrder(scene, manualPolicy)
    const page = await open(`${received}/confirm-payment`, await newSeller(scene))
    expect(new URL(page.url()).pathname).toBe(received)
  })
})

test('the customer cannot decide, and has their own page', async () => {
  const { id, path, received, customer } = await placeOrder(scene, manualPolicy)
  const page = await open(path, customer)
  expect(await heading(page)).toBe('Waiting for the seller')
  expect(await page.content()).not.toContain('Met at the fair.')
  const own = `/console/${customer.workspaces[0]}${path}`
  for (const address of [received, own, `${received}/approve`, `${own}/approve`]) {
    await page.goto(scene.urls[0] + address)
    expect(await page.content()).not.toContain('Met at the fair.')
  }
  expect(await heading(page)).toBe('Not found')
  expect(await stateOf(id)).toBe('awaiting_approval')
})

test('somebody on both sides chooses the side, and sees the customer’s first', async () => {
  const person = await alsoCustomer(scene, await newSeller(scene))
  const { path } = await placeOrder(scene, manualPayment, {}, person)
  const page = await open(path, person)
  expect(await heading(page)).toBe('Waiting for payment')
  await page.getByRole('link', { name: 'As the seller' }).click()
  expect(await heading(page)).toMatch(/^Order /)
  await decide(page, 'Confirm payment')
  expect(await heading(page)).toContain('Completed')
  await page.getByRole('link', { name: 'As the customer' }).click()
  expect(await heading(page)).toBe('Your install has started')
})

describe('how to pay', () => {
  test('is shown with a reference, as text in which web addresses alone are links', async () => {
    const { id, path, customer } = await placeOrder(scene, manualPayment)
    const page = await open(path, customer)
    const text = await main(page)
    const reference = `${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase()
    for (const fact of [reference, 'DE02 1203 0000 0000 2020 51.', '<script>alert(1)</script>', 'Pay by'])
      expect(text).toContain(fact)
    expect(await page.locator('section[aria-labelledby="pay-title"] a').allInnerTexts()).toEqual([
      'https://pay.acme.example/invoice?a=1&b=2',
    ])
    const link = page.locator('section[aria-labelledby="pay-title"] a').first()
    expect(await link.getAttribute('href')).toBe('https://pay.acme.example/invoice?a=1&b=2')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(await main(await open(path, await newSeller(scene)))).toContain(reference)
  })

  test('is not told before there is an order', async () => {
    const { offer } = await placeOrder(scene, manualPayment)
    const [{ short_hash = '' } = {}] = await scene.stack.sql`
      update offers.offers set max_uses = null where id = ${offer} returning short_hash`
    const { page } = await scene.openPlain(await scene.newCustomer())
    await page.goto(`${scene.urls[0]}/i/${short_hash}`)
    expect(await page.content()).toContain('Fast Queues')
    expect(await page.content()).not.toContain('DE02')
    const answer = await fetch(`${scene.urls[0]}/v1/i/${short_hash}`)
    expect(await answer.text()).not.toContain('DE02')
  })
})

test('a seller is warned of a time that is short for people, and a customer is not', async () => {
  const { path, customer } = await placeOrder(scene, bothSteps, { offer: { max_uses: null } })
  const warning = 'An order has 2 hours to be paid and for you to confirm the payment'
  expect(await main(await open(path, await newSeller(scene)))).toContain(warning)
  expect(await main(await open(path, customer))).not.toContain(warning)
})

describe('the list', () => {
  test('has what the workspace received and placed, and names are text', async () => {
    const person = await alsoCustomer(scene, await newSeller(scene))
    const own = await placeOrder(scene, manualPayment, {}, person)
    const received = await placeOrder(scene, manualPolicy, { name: hostileName })
    const page = await open('/orders', person)
    const text = await main(page)
    const parts = ['Received', 'Placed', hostileName, received.customer.email]
    for (const part of parts) expect(text).toContain(part)
    expect(await page.content()).toContain(`href="${received.received}"`)
    await page.getByRole('link', { name: 'Placed', exact: true }).click()
    await page.waitForURL(/relation=placed/)
    expect(await page.content()).toContain(`href="${own.path}"`)
    await page.goto(`${scene.urls[0]}/orders?relation=received&state=awaiting_approval`)
    expect(new URL(page.url()).pathname).toBe(`/console/${scene.stack.dev.workspace_id}/orders`)
    expect(await page.content()).toContain(received.path)
    expect(await page.content()).not.toContain(own.path)
  })
})
