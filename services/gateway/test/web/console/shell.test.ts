// The shell of the console: its menus and tables on a phone, and addresses that lead nowhere by themselves.
import { everything } from '@svc/testing/size'
import type { Page } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { manualPolicy } from '../store/offer/offer-scene.ts'
import { type Catalogue, newCatalogue, newChannel, type Seat, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)
let owner: Seat
let made: Catalogue
let jar: Jar
beforeAll(async () => {
  owner = await scene.newOwner()
  made = await newCatalogue(owner)
  await owner.send('POST', '/api_tokens', { name: 'ci' })
  jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(owner.person))
})

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 844 } }

  /** Whether a tap at its centre is a tap on it. */
  const isOnTop = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll(all =>
      all.map(element => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const top = document.elementFromPoint(x + width / 2, y + height / 2)
        return [element.textContent?.trim(), element.contains(top)]
      }),
    )

  test.each(everything ? ['navigation', 'workspace', 'account'] : ['navigation'])(
    'each link of the menu %s can be tapped',
    async name => {
      const { page } = await scene.draw(owner, '', phone)
      await page.locator(`.${name}-menu > summary`).click()
      const links = await isOnTop(page, `.${name}-menu a`)
      expect(links.length).toBeGreaterThan(1)
      expect(links.filter(([, onTop]) => !onTop)).toEqual([])
    },
  )

  test.each(everything ? ['/tokens', '/members', '/webhooks', '/activity/audit-log'] : ['/tokens'])(
    'nothing of the table at %s is out of sight, and it stays a table',
    async path => {
      const { page } = await scene.draw(owner, path, phone)
      const frame = page.locator('.table-frame').first()
      expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      expect(await page.getByRole('table').count()).toBeGreaterThan(0)
      expect(await page.getByRole('columnheader').count()).toBeGreaterThan(1)
      expect(await page.getByRole('cell').count()).toBeGreaterThan(1)
    },
  )
})

test('a notice is said once: the address does not keep it', async () => {
  const { page, complaints } = await scene.draw(owner, '/tokens?notice=revoked&limit=5')
  expect(await page.getByRole('status').innerText()).toBe('Revoked. It no longer works.')
  expect(page.url()).toBe(`${owner.root}/tokens?limit=5`)
  await page.reload()
  expect(await page.getByRole('status').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a page of a list that is no longer there leads to the first one', async () => {
  const cursor = Buffer.from('nothing').toString('base64url')
  const page = await scene.plain(owner)
  expect((await page.goto(`${owner.root}/offers?state=open&cursor=${cursor}`))?.status()).toBe(400)
  expect(await page.locator('h1').innerText()).toBe('This page of the list is no longer available')
  expect(await page.getByRole('link', { name: 'First page' }).getAttribute('href')).toBe(
    `${new URL(owner.root).pathname}/offers?state=open`,
  )
})

test('a form whose token is out of date leads back to itself', async () => {
  const { status, text } = await jar.ask(`${owner.root}/tokens/new`, { form: { _csrf: 'old', name: 'ci' } })
  expect(status).toBe(403)
  expect(text).toContain(`href="${new URL(owner.root).pathname}/tokens/new"`)
})

test('no form that is valid is too long', async () => {
  const channel = await newChannel(owner, made.product_id, manualPolicy)
  const { csrf } = await jar.ask(`${owner.root}/catalogue/channels/${channel}/policies/new`)
  const form = { _csrf: csrf, pricing_kind: 'fixed', payment_instructions: '😀'.repeat(2000) }
  const { status } = await jar.ask(`${owner.root}/catalogue/channels/${channel}/policies/new`, { form })
  expect([422, 303]).toContain(status)
})

test('what is said of an amount is about the amount that is there', async () => {
  const { product_id } = made
  const channel = await newChannel(owner, product_id, manualPolicy, 'Bounded')
  const { page } = await scene.draw(owner, `/offers/new?product_id=${product_id}&offer_channel_id=${channel}`)
  const price = page.getByLabel('Price').first()
  const problems = () => page.locator('.field:has([name=unit_amount]) .problem:visible').allInnerTexts()
  await price.fill('20000')
  expect((await problems()).filter(Boolean)).toEqual(['Must be 10,000.00 or less.'])
  await page.locator('main form button[type=submit]').first().click()
  await page.getByRole('alert').waitFor()
  expect((await problems()).filter(Boolean)).toHaveLength(1)
  await price.fill('20')
  expect((await problems()).filter(Boolean)).toEqual([])
  expect(await price.getAttribute('aria-invalid')).toBeNull()
  await price.fill('30000')
  expect((await problems()).filter(Boolean)).toEqual(['Must be 10,000.00 or less.'])
  expect(await price.getAttribute('aria-describedby')).toContain('unit_amount-bounds')
})
