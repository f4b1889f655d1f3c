import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

const host = { type: 'string', title: 'Host name' }
const input_schema = {
  type: 'object',
  properties: {
    zone: { type: 'string', title: 'Where it runs' },
    network: { type: 'object', title: 'Network', properties: { port: { type: 'integer' }, host } },
    users: { type: 'array', title: 'Users', items: { type: 'object', properties: { name: host } } },
    admin_password: { type: 'string', format: 'password' },
  },
}
const field_values = {
  admin_password: 'hunter2-hunter2',
  users: [{ name: 'ada' }, { name: 'grace' }],
  network: { host: 'db.example', port: 443 },
  zone: 'eu',
}

test('the install shows both sides its values by their titles, in the order of the form, and no password', async () => {
  const [seller, customer] = [await scene.newOwner('Seller'), await scene.newOwner('Customer')]
  const { id } = await seller.send('POST', '/packages', { name: 'Queues' })
  const version = await seller.send('POST', `/packages/${id}/versions`, { version: '1.0.0', input_schema })
  const offer = { package_version_id: version.id, allowed_emails: [customer.person.email] }
  const { short_hash } = await seller.send('POST', '/offers', offer)
  const order = await customer.send('POST', `/i/${short_hash}/orders`)
  const { install_id } = await customer.send('POST', `/orders/${order.id}/submit`, { field_values })
  for (const seat of [seller, customer]) {
    const { page } = await scene.draw(seat, `/installs/${install_id}`, {
      bypassCSP: true,
      viewport: { width: 390, height: 844 },
    })
    const values = page.getByRole('region', { name: 'Values' })
    const lines = (await values.innerText()).split(/\n+/).map(line => line.trim())
    expect(lines.slice(2)).toEqual([
      ...['Where it runs', 'eu', 'Network', 'Port', '443', 'Host name', 'db.example'],
      ...['Users', '1', 'Host name', 'ada', '2', 'Host name', 'grace'],
      ...['Admin password', '••••••••', 'hidden'],
    ])
    expect(await page.content()).not.toContain('hunter2')
    if (seat === customer) await expectAccessible(page)
  }
})
