// Each kind of field in each state, in Chromium: what the page shows is what is sent.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../../accessibility.ts'
import { orderButton } from '../../page-scene.ts'
import { type Customer, ordered, setOfferScene } from './offer-scene.ts'
import { type Shown, type Widget, widgets } from './widgets.ts'

const scene = forFile(setOfferScene)
let customer: Customer
beforeAll(async () => {
  customer = await scene.newCustomer()
})

const names = Object.keys(widgets)
const properties = of(({ schema }, name) => ({ title: titleOf(name), ...schema }))
const schema = { properties, required: names }
const optional = { properties }

function of<Value>(value: (widget: Widget, name: string) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(widgets).map(([name, widget]) => [name, value(widget, name)]))
}

function titleOf(name: string) {
  return `The ${name.replace('_', ' ')}`
}

const byCustomer = { locale: 'en-GB', timezoneId: 'UTC' }

async function open(offer: object = {}, asked: object = schema, options: BrowserContextOptions = {}) {
  const { path, hash } = await scene.newOffer({ schema: asked, offer: { max_uses: null, ...offer } })
  return { ...(await scene.visit(path, customer, { ...byCustomer, ...options })), path, hash }
}

const prefilled = (locked: boolean) => ({ field_values: of(({ stored }) => ({ value: stored, locked })) })

/** What the inputs of each field show. */
const read = (page: Page) =>
  page.evaluate(names => {
    const shownBy = (input: Element) => {
      if (input instanceof HTMLSelectElement) return input.selectedOptions[0]?.text ?? ''
      const { type, checked, value } = input as HTMLInputElement
      return type === 'checkbox' ? checked : value
    }
    const inputs = 'input, select, textarea'
    const field = (name: string) => {
      const own = document.getElementById(`values_${name}`)
      return own?.matches(inputs) ? [own] : [...(own?.querySelectorAll(inputs) ?? [])]
    }
    return Object.fromEntries(names.map(name => [name, field(name).map(shownBy)]))
  }, names) as Promise<Record<string, Shown>>

const send = (page: Page) => page.getByRole('button', { name: orderButton }).click()

async function fillAll(page: Page) {
  for (const [name, { fill }] of Object.entries(widgets)) await fill(page.locator(`#values_${name}`), page)
}

/** The problem beside each field. */
const problems = (page: Page) =>
  page.evaluate(
    names =>
      Object.fromEntries(
        names.map(name => [
          name,
          document.querySelector(`[id^="values_${name}"][id$="__error"]`)?.textContent,
        ]),
      ),
    names,
  )

async function sent(page: Page, hash: string) {
  await send(page)
  await ordered(page)
  return (await scene.orders(hash)).at(-1)?.field_values
}

const empty = of(({ empty }) => empty)
const stored = of(({ stored }, name) => (name === 'password' ? { $sealed: expect.any(String) } : stored))
const filled = of(({ shown }) => shown)
const afterwards = { ...of(({ shown, again = shown }) => again), password: [''] }

test('each widget that is filled in shows it and sends it, also after the way back and a refresh, without passwords, and an empty one sends nothing', async () => {
  const { page, hash, path, complaints } = await open({}, optional)
  await fillAll(page)
  expect(await read(page)).toEqual(filled)
  await page.goto(`${scene.urls[0]}/sessions`)
  await page.goBack()
  await page.locator('#values_text').waitFor()
  expect(await read(page)).toEqual(afterwards)
  await page.reload()
  await page.locator('#values_text').waitFor()
  expect(await read(page)).toEqual(afterwards)
  expect(JSON.stringify(await page.evaluate('({ ...sessionStorage })'))).not.toContain('a-secret')
  await widgets.password?.fill(page.locator('#values_password'), page)
  expect(await sent(page, hash)).toEqual(stored)
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  await page.goto(scene.urls[0] + path)
  await page.locator('#values_text').waitFor()
  expect(await read(page)).toEqual(empty)
  expect(await sent(page, hash)).toEqual({})
  expect(complaints).toEqual([])
})

test('each widget that is required says what to do while it is empty or wrong, and keeps what was entered, also after a refresh', async () => {
  const { page, hash } = await open({}, schema, { bypassCSP: true })
  expect(await read(page)).toEqual(empty)
  await send(page)
  await page.getByRole('alert').waitFor()
  expect(await problems(page)).toEqual(of(({ missing }) => missing))
  expect(await read(page)).toEqual(empty)
  await fillAll(page)
  for (const [name, { wrong }] of Object.entries(widgets))
    await wrong?.enter(page.locator(`#values_${name}`), page)
  const entered = await read(page)
  await send(page)
  await expect.poll(() => problems(page)).toEqual(of(({ wrong }) => wrong?.message))
  expect(await page.locator('[id^="values_list_"][id$="__error"]').count()).toBe(2)
  expect(await read(page)).toEqual(entered)
  await expectAccessible(page)
  await page.reload()
  await page.locator('#values_text').waitFor()
  expect(await read(page)).toEqual({ ...entered, ...otherwise })
  expect(await scene.orders(hash)).toEqual([])
})

/** Half a date is no value that a script can read, and a number is shown in the reader's language. */
const otherwise = { password: [''], date: [''], integer: ['12.5'] }

test('each widget that the seller has filled in shows and sends it, and asks for another value if it is emptied', async () => {
  const { page, hash } = await open(prefilled(false), optional, { locale: 'cs-CZ' })
  // A number is shown in the reader's language.
  expect(await read(page)).toEqual({ ...afterwards, number: ['12,5'] })
  for (const [name, { clear }] of Object.entries(widgets)) await clear(page.locator(`#values_${name}`), page)
  await send(page)
  await page.getByRole('alert').waitFor()
  expect(await problems(page)).toEqual(of(({ cleared }) => cleared))
  expect(await scene.orders(hash)).toEqual([])
  const other = await open(prefilled(false), optional, { locale: 'cs-CZ' })
  expect(await sent(other.page, other.hash)).toEqual(stored)
})

test('each widget that the seller has locked is a text beside the form, and is sent as it is', async () => {
  const { page, hash } = await open(prefilled(true))
  expect(await page.locator('#fields').count()).toBe(0)
  const texts = await page.locator('section', { hasText: 'Set by the seller' }).innerText()
  for (const name of names) expect(texts).toContain(titleOf(name))
  expect(texts).not.toContain('a-secret')
  expect(await sent(page, hash)).toEqual(stored)
})
