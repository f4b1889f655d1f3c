// What both sides of a paid install find on their pages.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { press } from '../page-scene.ts'
import { paidPolicy } from '../store/offer/offer-scene.ts'
import { main, newCatalogue, newChannel, type Seat, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)
const day = 86_400

async function newPaid() {
  const [seller, customer] = [await scene.newOwner('Seller'), await scene.newOwner('Customer')]
  const { product_id } = await newCatalogue(seller)
  const offer_channel_id = await newChannel(seller, product_id, paidPolicy)
  const { short_hash } = await seller.send('POST', '/offers', { product_id, offer_channel_id })
  const { id } = await customer.send('POST', `/i/${short_hash}/orders`)
  await customer.send('POST', `/orders/${id}/submit`, { field_values: {} })
  const { install_id } = await seller.send('POST', `/orders/${id}/confirm_payment`)
  const install = String(install_id)
  const age = (days: number) =>
    scene.stack.sql`
      update offers.subscriptions set paid_through = ${Math.floor(Date.now() / 1000) - days * day}
      where install_id = ${install}`
  return { seller, customer, install, age }
}

const textOf = async (seat: Seat, path = '') => main(await scene.plain(seat, path))

test('home tells the seller and the customer what is past due or lapsed, until it is paid', async () => {
  const { seller, customer, install, age } = await newPaid()
  const homes = () => Promise.all([textOf(seller), textOf(customer)])
  for (const text of await homes()) expect(text).toContain('You’re all caught up')
  await age(3)
  const [sold, owned] = await homes()
  expect(sold).toContain('A customer’s payment is past due')
  expect(sold).toContain(customer.person.email)
  expect(owned).toContain('Your payment is past due')
  await age(8)
  const [lapsedSold, lapsedOwned] = await homes()
  expect(lapsedSold).toContain('A customer’s subscription lapsed')
  expect(lapsedOwned).toContain('Your subscription lapsed')
  const member = await scene.newColleague(seller, 'member')
  const page = await scene.plain(member, `/installs/${install}/confirm-payment`)
  await press(page, 'Confirm payment')
  expect(await main(page)).toContain('Active')
  for (const text of await homes()) expect(text).toContain('You’re all caught up')
})

test('each side has only the steps that it may take now', async () => {
  const { seller, customer, install, age } = await newPaid()
  const path = `/installs/${install}`
  const member = await scene.newColleague(seller, 'member')
  const steps = async (seat: Seat) =>
    (await textOf(seat, path)).match(/(Confirm payment|(Cancel|Resume) subscription|Works until)/g)
  expect(await steps(seller)).toEqual(['Confirm payment', 'Cancel subscription'])
  expect(await steps(member)).toEqual(['Confirm payment'])
  expect(await steps(customer)).toEqual(['Cancel subscription'])
  await age(3)
  expect(await steps(customer)).toEqual(['Works until', 'Cancel subscription'])
  await age(8)
  expect(await steps(customer)).toEqual(['Cancel subscription'])
  const cancelled = 'Its subscription is cancelled'
  expect(await textOf(customer, `${path}/remove`)).toContain(cancelled)
  await age(-3)
  await customer.send('POST', `${path}/cancel_subscription`)
  expect(await steps(seller)).toEqual(['Resume subscription'])
  expect(await textOf(customer, `${path}/remove`)).not.toContain(cancelled)
  const page = await scene.plain(seller, `${path}/confirm-payment`)
  expect(page.url()).toMatch(new RegExp(`${path}$`))
  await customer.send('POST', `${path}/cancel_subscription`, { at: 'now' })
  expect(await steps(seller)).toBeNull()
  expect(await textOf(customer, `${path}/remove`)).not.toContain(cancelled)
})
