// From the link of an offer to an install, in a real browser under the page's own policy.

import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { choose } from '../../console/console-scene.ts'
import { Jar } from '../../cookie-jar.ts'
import { manualPolicy, ordered, price, setOfferScene } from './offer-scene.ts'
import { cancelOrder, heading, press, signIn, orderButton } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'

const scene = forFile(setOfferScene)
let url: string
beforeAll(async () => {
  url = scene.urls[0]
})

const seats = { properties: { seats: { type: 'integer', title: 'Seats', minimum: 1 } }, required: ['seats'] }
const main = (page: Tab) => page.locator('main').innerText()

describe('the whole way', () => {
  test('from a visitor to an install: sign in, read, fill in, order', async () => {
    const { hash, path } = await scene.newOffer({ schema: seats, offer: { notes: 'A note for you.' } })
    const customer = await scene.newCustomer()
    const { page, complaints } = await scene.visit(path)
    expect(await heading(page)).toBe('Fast Queues')
    expect(await main(page)).toMatch(/Sold by Demo[\s\S]*Free[\s\S]*1 left[\s\S]*Sign in to order/)
    expect(await main(page)).not.toContain('A note for you.')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(/sign-in/)
    await signIn(page, customer)
    expect(page.url()).toBe(`${url}${path}`)
    expect(await main(page)).toContain('A note for you.')
    await page.getByLabel('Seats').fill('7')
    await page.getByRole('button', { name: orderButton }).click()
    await ordered(page)
    expect(await heading(page)).toBe('Your install has started')
    expect(await main(page)).toMatch(/inst_\w+/)
    expect(await scene.orders(hash)).toMatchObject([
      { state: 'completed', field_values: { seats: 7 }, customer_workspace_id: customer.workspaces[0] },
    ])
    expect(complaints).toEqual([])
  })

  test('by signing up: the link of the message leads back to the offer', async () => {
    const { path } = await scene.newOffer()
    const page = await scene.visitPlain(path)
    const email = 'newcomer@people.example'
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email address').fill(email)
    await press(page, 'Email me a link')
    const link = () =>
      /\/verify\?token=\w{32}/.exec(scene.stack.lines.find(line => line.includes(`"to":"${email}"`)) ?? '')
    await waitUntil('the message', () => link() !== null)
    await page.goto(`${url}${link()?.[0]}`)
    await page.getByLabel('New password').fill('a sentence with enough letters')
    await press(page, 'Save and sign in')
    expect(page.url()).toBe(`${url}${path}`)
  })

  test('without JavaScript, if there is nothing to fill in', async () => {
    const properties = { region: { type: 'string' } }
    const offer = { field_values: { region: { value: 'eu', locked: true } } }
    const { hash, path } = await scene.newOffer({ schema: { properties }, offer })
    const page = await scene.visitPlain(path, await scene.newCustomer())
    expect(await main(page)).toContain('You can’t change these values.')
    await press(page, orderButton)
    expect(await heading(page)).toBe('Your install has started')
    expect(await scene.orders(hash)).toMatchObject([{ field_values: { region: 'eu' } }])
  })

  test('not without JavaScript if there is: the page says so', async () => {
    const { path } = await scene.newOffer({ schema: seats })
    const page = await scene.visitPlain(path, await scene.newCustomer())
    expect(await main(page)).toContain('This form needs JavaScript.')
    expect(await page.getByRole('button', { name: orderButton }).getAttribute('disabled')).not.toBeNull()
  })

  test('with the keyboard alone', async () => {
    const { path } = await scene.newOffer({ schema: seats })
    const { page } = await scene.visit(path, await scene.newCustomer())
    await page.getByLabel('Seats').waitFor()
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
    const tabTo = async (wanted: string) => {
      for (let presses = 0; presses < 12 && (await focused()) !== wanted; presses++)
        await page.keyboard.press('Tab')
      expect(await focused()).toBe(wanted)
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    }
    await tabTo('values_seats')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('summary')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('values_seats')
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await ordered(page)
  })
})

describe("access to an offer's page", () => {
  test('an offer for others says only which account is signed in, and how to use another one', async () => {
    const friend = await scene.newCustomer()
    const stranger = await scene.newCustomer()
    const offer = { allowed_emails: [friend.email], notes: 'Secret note.', internal_note: 'inside' }
    const { path, id } = await scene.newOffer({ offer })
    const page = await scene.visitPlain(path, stranger)
    expect(await heading(page)).toBe('This offer is for another account')
    const shown = await main(page)
    expect(shown).toContain(stranger.email)
    for (const secret of [friend.email, 'Secret note.', 'inside']) expect(shown).not.toContain(secret)
    await scene.send('POST', `/offers/${id}/revoke`)
    await page.reload()
    expect(await main(page)).toBe(shown)
    await press(page, 'Use another account')
    await signIn(page, friend)
    expect(page.url()).toBe(`${url}${path}`)
    expect(await heading(page)).toBe('This offer was revoked')
  })

  test.each(['/i/unknown12345', '/i/%22%3E%3Cscript%3E', `/i/${'x'.repeat(300)}`, '/orders/order_unknown'])(
    '%s is not found, for whoever asks',
    async path => {
      const page = await scene.visitPlain('/sessions', await scene.newCustomer())
      const response = await page.goto(url + path)
      expect(response?.status()).toBe(404)
      expect(await heading(page)).toBe('Not found')
    },
  )
})

describe('an offer that is closed', () => {
  const used = { max_uses: 1 }
  const policy = manualPolicy
  const states = [
    [
      'revoked',
      'This offer was revoked',
      ({ id }: { id: string }) => scene.send('POST', `/offers/${id}/revoke`),
    ],
    [
      'expired',
      'This offer has expired',
      ({ id }: { id: string }) => scene.stack.sql`update offers.offers set expires_at = 1 where id = ${id}`,
    ],
    ['used up', 'This offer is sold out', ({ path }: { path: string }) => orderAs(path)],
  ] as const

  async function orderAs(path: string) {
    const page = await scene.visitPlain(path, await scene.newCustomer())
    await press(page, orderButton)
    return page
  }

  test.each(states)(
    '%s has its own page, before the form and after it was sent',
    async (_name, title, close) => {
      const offer = await scene.newOffer({ offer: used })
      const page = await scene.visitPlain(offer.path, await scene.newCustomer())
      await close(offer)
      await press(page, orderButton)
      expect(await heading(page)).toBe(title)
      const response = await page.reload()
      expect(response?.status()).toBe(410)
      expect(await heading(page)).toBe(title)
    },
  )

  test('used up by the visitor leads to the order', async () => {
    const offer = await scene.newOffer({ offer: used })
    const page = await orderAs(offer.path)
    const order = page.url()
    await page.goto(url + offer.path)
    expect(await heading(page)).toBe('This offer is sold out')
    await page.getByRole('link', { name: 'View your order' }).click()
    await page.waitForURL(order)
  })

  test("used up for now by someone else's order says that it may become free", async () => {
    const offer = await scene.newOffer({ offer: { ...used, pricing_request: price }, policy })
    const page = await orderAs(offer.path)
    const late = await scene.visitPlain(offer.path, await scene.newCustomer())
    expect(await heading(late)).toBe('This offer is fully reserved right now')
    await cancelOrder(page)
    await late.getByRole('link', { name: 'Refresh' }).click()
    await late.getByRole('button', { name: orderButton }).waitFor()
  })
})

describe('the workspace of an order', () => {
  test('a person without one names one, which is created', async () => {
    const customer = await scene.newCustomer([])
    const { hash, path } = await scene.newOffer()
    const page = await scene.visitPlain(path, customer)
    expect((await press(page, orderButton)).status()).toBe(422)
    expect(await page.getByRole('alert').innerText()).toContain('Enter a name for your workspace.')
    await page.getByLabel('Workspace name').fill('Lovelace & Co')
    await press(page, orderButton)
    expect(await main(page)).toContain('Lovelace & Co')
    expect(await scene.orders(hash)).toHaveLength(1)
  })

  test('a person with several chooses one', async () => {
    const customer = await scene.newCustomer(['First', 'Second', 'Third'])
    const { hash, path } = await scene.newOffer()
    const page = await scene.visitPlain(path, customer)
    await choose(page, 'Workspace', customer.workspaces[1] ?? '')
    await press(page, orderButton)
    expect(await scene.orders(hash)).toMatchObject([{ customer_workspace_id: customer.workspaces[1] }])
  })
})

test('a double click is one order', async () => {
  const { hash, path } = await scene.newOffer({ schema: seats, offer: { max_uses: null } })
  const { page } = await scene.visit(path, await scene.newCustomer())
  await page.getByLabel('Seats').fill('1')
  await page.getByRole('button', { name: orderButton }).dblclick()
  await ordered(page)
  expect(await scene.orders(hash)).toHaveLength(1)
})

describe('scripts', () => {
  const policyOf = async (jar: Jar, path: string) =>
    (await jar.ask(url + path)).headers.get('content-security-policy') ?? ''

  test('run only on the page with the form, from files, and write no markup', async () => {
    const jar = new Jar()
    const { email, password } = await scene.newCustomer()
    const open = await scene.newOffer()
    const closed = await scene.newOffer()
    await scene.send('POST', `/offers/${closed.id}/revoke`)
    const { csrf } = await jar.ask(`${url}/sign-in`)
    expect(await policyOf(jar, open.path)).not.toContain('script-src')
    await jar.ask(`${url}/sign-in`, { form: { email, password, _csrf: csrf } })
    for (const path of ['/sessions', '/device', closed.path, '/i/unknown12345', '/orders/unknown']) {
      expect(await policyOf(jar, path)).toBe(
        "default-src 'none';style-src 'self';img-src 'self';font-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'",
      )
    }
    expect(await policyOf(jar, open.path)).toBe(
      "default-src 'none';style-src 'self';img-src 'self';font-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'" +
        ";script-src 'self';require-trusted-types-for 'script';trusted-types 'none'",
    )
  })
})
