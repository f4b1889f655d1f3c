// Instructions of a version in the console: where sellers write them, and where both sides read them.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { main, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

const properties = { host: { type: 'string' }, key: { type: 'string', format: 'password' } }
const input_schema = JSON.stringify({ type: 'object', properties })

test('a seller publishes them by a form, and duplicates them with the version', async () => {
  const seller = await scene.newOwner()
  const { id } = await seller.send('POST', '/packages', { name: 'Queues' })
  const page = await scene.plain(seller, `/catalogue/packages/${id}/versions/new`)
  await page.getByLabel('Version').fill('1.0.0')
  await page.getByLabel('Order form (JSON Schema)').fill(input_schema)
  await page.getByLabel('Instructions').fill('Open **{{ field.hots }}**.')
  await page.getByRole('button', { name: 'Publish version' }).click()
  expect(await main(page)).toContain('{{ field.hots }} is not a property of the input schema.')
  await page.getByLabel('Instructions').fill('Open **{{ field.host }}**.')
  await page.getByRole('button', { name: 'Publish version' }).click()
  expect(await main(page)).toContain('Open {{ field.host }}.')
  await page.getByRole('link', { name: 'Duplicate version' }).click()
  expect(await page.getByLabel('Instructions').inputValue()).toBe('Open **{{ field.host }}**.')
})

test('the order and the install show them to seller and customer, with values that stay text', async () => {
  const [seller, customer] = [await scene.newOwner('Seller'), await scene.newOwner('Customer')]
  const { id } = await seller.send('POST', '/packages', { name: 'Queues' })
  const version = await seller.send('POST', `/packages/${id}/versions`, {
    version: '1.0.0',
    input_schema: { type: 'object', properties },
    instructions: 'Open {{ field.host }} with `{{ field.host }}` and {{ field.key }}. <b>[x](javascript:x)',
  })
  const offered = { package_version_id: version.id }
  const { short_hash } = await seller.send('POST', '/offers', offered)
  const order = await customer.send('POST', `/i/${short_hash}/orders`)
  const host = '[*db*](https://evil.example) `<script>alert(1)</script>'
  const field_values = { host, key: 'hunter2' }
  const { install_id } = await customer.send('POST', `/orders/${order.id}/submit`, { field_values })
  const pages = [
    [seller, `/orders/${order.id}`, 'What the customer does now'],
    [seller, `/installs/${install_id}`, 'What the customer does now'],
    [customer, `/installs/${install_id}`, 'What to do now'],
  ] as const
  for (const [seat, path, title] of pages) {
    const page = await scene.plain(seat, path)
    const text = await main(page)
    expect(text).toContain(title)
    expect(text).toContain(`Open ${host} with ${host.replace('`', "'")} and ••••••••. <b>[x](javascript:x)`)
    const markup = await page.content()
    expect(markup).not.toMatch(/<script>|href="(https:\/\/evil|javascript)|hunter2/)
  }
})
