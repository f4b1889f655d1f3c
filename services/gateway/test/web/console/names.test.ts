import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { main, newCatalogue, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

test('an offer names the person who made it, and leads to them', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  const { id } = await owner.send('POST', '/offers', { product_id })
  const page = await scene.plain(owner, `/offers/${id}`)
  const read = async () => {
    await page.reload()
    return main(page)
  }
  // Events follow within a second; until then there is the id.
  await expect.poll(read).toMatch(new RegExp(`Created by\\s+${owner.person.email}`))
  await page.getByRole('link', { name: owner.person.email }).click()
  await page.waitForURL(/\/members/)
  expect(await main(page)).toContain(owner.person.email)
})

test('a customer reads which version was installed, though the seller alone can open it', async () => {
  const seller = await scene.newOwner('Seller')
  const customer = await scene.newOwner('Customer')
  const { product_id, version_id } = await newCatalogue(seller)
  const { short_hash } = await seller.send('POST', '/offers', { product_id })
  const { id } = await customer.send('POST', `/i/${short_hash}/orders`)
  const { install_id } = await customer.send('POST', `/orders/${id}/submit`, { field_values: {} })
  const page = await scene.plain(customer, `/installs/${install_id}`)
  expect(await main(page)).toMatch(/Version\s+1\.0\.0/)
  expect(await page.content()).not.toContain(version_id)
})
