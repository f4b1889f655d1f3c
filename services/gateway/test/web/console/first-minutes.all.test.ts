import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { heading, orderButton, press } from '../page-scene.ts'
import { focused, main, setConsoleScene, tabTo } from './console-scene.ts'

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
  await next('Continue')
  await tabTo(page, 'Version')
  await next('Continue', 'Space')
  await tabTo(page, 'Product name')
  await page.keyboard.press('End')
  await page.keyboard.type(' Cloud')
  await next('Continue')
  await next('Publish offer')
  expect(await page.getByRole('status').innerText()).toContain('Offer published.')
  expect(await heading(page)).toBe('Engine Cloud')
  const address = (await page.locator('.link-of-offer code').innerText()).trim()
  expect(address).toMatch(link)
  expect(seller.complaints).toEqual([])

  const person = await scene.newCustomer(['Acme'])
  const customer = await scene.visit(new URL(address).pathname, person)
  await tabTo(customer.page, /^Company/)
  await customer.page.keyboard.type('Acme')
  await tabTo(customer.page, orderButton)
  await customer.page.keyboard.press('Enter')
  await customer.page.getByText('Your install has started').first().waitFor()
  expect(customer.complaints).toEqual([])

  await page.reload()
  expect(await main(page)).toContain(person.email)
})

test('without JavaScript the four steps lead to the offer and its link', async () => {
  const owner = await scene.newOwner()
  const page = await scene.plain(owner)
  await page.getByRole('link', { name: 'Get started' }).click()
  // Each step can be left, and is gone on with.
  await page.getByLabel('Name of your software').fill('Engine')
  await press(page, 'Continue')
  await page.goto(`${owner.root}/start`)
  expect(await main(page)).toContain('Publish a version')
  await press(page, 'Continue')
  expect(await page.getByLabel('Product name').inputValue()).toBe('Engine')
  await press(page, 'Continue')
  await page.getByLabel('Price').fill('49,90')
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
