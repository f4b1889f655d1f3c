// A person who sends a form twice gets one order, unless they say that they want another one; and what cannot be read is
// not sent.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { orderButton, press } from '../../page-scene.ts'
import { ordered, setOfferScene } from './offer-scene.ts'

const scene = forFile(setOfferScene)

const seats = { properties: { seats: { type: 'integer', title: 'Seats' } }, required: ['seats'] }
const many = { max_uses: null }

const installs = async (hash: string) =>
  (await scene.orders(hash)).filter(({ state }) => state === 'completed')

async function startedEarlier(hash: string) {
  await scene.stack.sql`
    update offers.orders set created_at = created_at - interval '1 minute'
    where offer_id = (select id from offers.offers where short_hash = ${hash})`
}

test('a second tab says that the offer was ordered a minute ago, keeps what was typed, and orders another one if asked to', async () => {
  const { path, hash } = await scene.newOffer({ schema: seats, offer: many })
  const customer = await scene.newCustomer()
  const { page: first } = await scene.visit(path, customer)
  const second = await first.context().newPage()
  await second.goto(first.url())
  await first.getByLabel('Seats').fill('3')
  await press(first, orderButton)
  await startedEarlier(hash)
  await second.getByLabel('Seats').fill('4')
  expect((await press(second, orderButton)).status()).toBe(409)
  const alert = second.getByRole('alert')
  expect(await alert.innerText()).toContain('You ordered this 1 minute ago. View your order.')
  await expect.poll(() => second.evaluate('document.activeElement.className')).toBe('summary')
  expect(await alert.getByRole('link').getAttribute('href')).toBe(new URL(first.url()).pathname)
  expect(await scene.orders(hash)).toHaveLength(1)
  expect(await second.getByLabel('Seats').inputValue()).toBe('4')
  await press(second, orderButton)
  await ordered(second)
  expect((await scene.orders(hash)).map(order => order.field_values)).toEqual([{ seats: 3 }, { seats: 4 }])
})

test('two clicks without JavaScript are one order, and a form that was open meanwhile asks before it makes another', async () => {
  const { path, hash } = await scene.newOffer({ offer: many })
  const page = await scene.visitPlain(path, await scene.newCustomer())
  const [again, later] = await Promise.all([page.context().newPage(), page.context().newPage()])
  for (const tab of [again, later]) await tab.goto(page.url())
  await Promise.all([press(page, orderButton), press(again, orderButton)])
  for (const tab of [page, again]) await ordered(tab)
  expect(page.url()).toBe(again.url())
  expect(await installs(hash)).toHaveLength(1)
  await startedEarlier(hash)
  expect((await press(later, orderButton)).status()).toBe(409)
  expect(await installs(hash)).toHaveLength(1)
  await press(later, orderButton)
  await ordered(later)
  expect(await installs(hash)).toHaveLength(2)
})

test('a form that cannot be read is not sent: no seat is taken, no workspace is created, and the page says so', async () => {
  const { path, hash } = await scene.newOffer({ schema: seats })
  const { page } = await scene.visit(path, await scene.newCustomer([]))
  await page.getByLabel('Workspace name').fill('Lovelace & Co')
  await page.getByLabel('Seats').fill('3')
  const requests: string[] = []
  page.on('request', request => requests.push(request.method()))
  await page.evaluate(() => {
    JSON.stringify = () => {
      throw new Error('for the test')
    }
  })
  await page.getByRole('button', { name: orderButton }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').innerText()).toContain('nothing was sent')
  expect(await page.getByLabel('Seats').inputValue()).toBe('3')
  expect(requests).toEqual([])
  expect(await scene.orders(hash)).toEqual([])
})

test('a form that a browser sends without the script having read it begins nothing', async () => {
  const { path, hash } = await scene.newOffer({ schema: seats })
  const customer = await scene.newCustomer([])
  const { page } = await scene.visit(path, customer)
  await page.getByLabel('Workspace name').fill('Lovelace & Co')
  await page.evaluate("document.getElementById('order').submit()")
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').innerText()).toContain('could not be read')
  expect(await scene.orders(hash)).toEqual([])
  expect(await scene.stack.sql`select 1 from auth_tokens.memberships where user_id = ${customer.id}`).toEqual(
    [],
  )
})
