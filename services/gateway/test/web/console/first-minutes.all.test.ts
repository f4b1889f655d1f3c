import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { heading, orderButton, press } from '../page-scene.ts'
import { focused, main, pick, setConsoleScene, tabTo } from './console-scene.ts'

const scene = forFile(setConsoleScene)

const link = /\/i\/[0-9A-Za-z]+$/

test('with the keyboard alone a seller publishes a first offer, and a customer orders it', async () => {
  const seller = await scene.visit('/console', await scene.newCustomer([]))
  const { page } = seller
  const next = async (name: string, key: 'Enter' | 'Space' = 'Enter') => {
    await tabTo(page, name)
    await Promise.all([page.waitForNavigation(), page.keyboard.press(key)])
  }
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')
  await tabTo(page, 'Name')
  await page.keyboard.type('Lovelace & Co')
  await next('Create workspace')
  expect(await heading(page)).toBe('Publish your first offer')

  await tabTo(page, 'Name of your software')
  await page.keyboard.type('Engine')
  await tabTo(page, 'Free')
  await page.keyboard.press('ArrowDown')
  await tabTo(page, 'Price')
  await page.keyboard.type('49')
  await tabTo(page, /^Payment instructions/)
  await page.keyboard.type('Transfer it.')
  await next('Publish offer')
  expect(await page.getByRole('status').innerText()).toContain('Offer published.')
  expect(await heading(page)).toBe('Engine')
  const address = (await page.locator('.link-of-offer code').innerText()).trim()
  expect(address).toMatch(link)
  expect(seller.complaints).toEqual([])

  const person = await scene.newCustomer(['Acme'])
  const customer = await scene.visit(new URL(address).pathname, person)
  await tabTo(customer.page, /^Company/)
  await customer.page.keyboard.type('Acme')
  await tabTo(customer.page, orderButton)
  await customer.page.keyboard.press('Enter')
  await customer.page.getByText('Waiting for payment').first().waitFor()
  expect(customer.complaints).toEqual([])

  await page.reload()
  expect(await main(page)).toContain(person.email)
})

test('without JavaScript one form leads to the offer and its link', async () => {
  const owner = await scene.newOwner()
  const page = await scene.plain(owner)
  await page.getByRole('link', { name: 'Get started' }).click()
  await page.getByLabel('Name of your software').fill('Engine')
  await page.locator('main summary').first().click()
  await page.getByLabel('Instructions after ordering').fill('Welcome, {{ field.nobody }}.')
  await pick(page, 'Collected outside this product; installs start at once')
  await page.getByLabel('Price').fill('49,90')
  expect((await press(page, 'Publish offer')).status()).toBe(422)
  // The package was made before the refusal, and what was typed is kept.
  expect(await page.getByLabel('Name of your software').inputValue()).toBe('Engine')
  await page.getByLabel('Instructions after ordering').fill('Welcome, {{ field.company }}.')
  await press(page, 'Publish offer')
  expect(page.url()).toMatch(/\/offers\/offer_\w+\?notice=published$/)
  expect(await main(page)).toContain('€49.90 per month')
  const links = page.getByRole('link', { name: 'Preview as customer' })
  expect(await links.getAttribute('href')).toMatch(link)
  await page.goto(`${owner.root}/start`)
  expect(await main(page)).toContain('This workspace already has an offer.')
  await page.goto(owner.root)
  expect(await main(page)).not.toContain('Publish your first offer')
})
