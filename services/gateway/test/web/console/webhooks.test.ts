// The form of a webhook endpoint, without JavaScript and with it, and the page of a delivery.
import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { startReceiver } from '@svc/testing/webhook-receiver'
import { expect, onTestFinished, test } from 'vitest'
import { press } from '../page-scene.ts'
import { main, pick, setConsoleScene, untick } from './console-scene.ts'

const scene = forFile(setConsoleScene)
const url = 'https://hooks.invalid/'

test('types of events are chosen without JavaScript, and a change of them sends nothing else', async () => {
  const owner = await scene.newOwner()
  const page = await scene.plain(owner, '/webhooks/new')
  await page.getByLabel('URL').fill(url)
  for (const wildcard of ['offers', 'orders', 'installs']) await untick(page, `All (${wildcard}.*)`)
  await press(page, 'Add endpoint')
  expect(await page.getByRole('alert').innerText()).toContain('Select at least one.')
  await pick(page, 'orders.completed')
  await pick(page, 'All (clusters.*)')
  await press(page, 'Add endpoint')
  expect(await main(page)).toContain('Signing secret')
  const { data } = (await owner.send('GET', '/webhook_endpoints')) as unknown as { data: { id: string }[] }
  const [endpoint] = data
  expect(endpoint).toMatchObject({ event_types: ['orders.completed', 'clusters.*'] })

  await page.goto(`${owner.root}/webhooks/${endpoint?.id}/edit`)
  expect(await page.getByLabel('orders.completed').getAttribute('checked')).not.toBeNull()
  await untick(page, 'orders.completed')
  // Somebody else's change meanwhile.
  await owner.send('PATCH', `/webhook_endpoints/${endpoint?.id}`, { description: 'Desk' })
  await press(page, 'Save')
  expect(await main(page)).toContain('Changes saved.')
  expect(await owner.send('GET', `/webhook_endpoints/${endpoint?.id}`)).toMatchObject({
    event_types: ['clusters.*'],
    description: 'Desk',
  })
})

test('the filter finds types by their words, says which one was meant, and hides what stays ticked', async () => {
  const owner = await scene.newOwner()
  const { page, complaints } = await scene.draw(owner, '/webhooks/new')
  const filter = page.getByRole('searchbox', { name: 'Filter' })
  const shown = () => page.locator('.choice-groups .check:visible label').allInnerTexts()
  await filter.fill('orders comp')
  expect(await shown()).toEqual(['orders.completed'])
  await page.getByLabel('orders.completed').check()
  await filter.fill('api token')
  expect(await shown()).toContain('api_tokens.rotated')
  expect(await page.locator('#event_types legend:visible').allInnerTexts()).toEqual(['Events', 'API tokens'])
  await filter.fill('orders.complte')
  expect(await page.locator('#event_types [role=status]').innerText()).toBe(
    'No matches. Did you mean orders.completed?',
  )
  await filter.press('Enter')
  expect(page.url()).toMatch(/webhooks\/new$/)
  await page.getByText('Do this from the command line').click()
  expect(await page.locator('[data-line=svc]').innerText()).toContain('--type orders.completed')
  expect(complaints).toEqual([])
})

test('a delivery shows the answer as text, and is where sending it again leads to', async () => {
  const owner = await scene.newOwner()
  const receiver = await startReceiver(() => ({ status: 500, body: '<script>alert(1)</script>' }))
  onTestFinished(receiver.stop)
  const { id } = await owner.send('POST', '/webhook_endpoints', {
    url: receiver.url,
    event_types: ['orders.*'],
  })
  const { id: delivery } = await owner.send('POST', `/webhook_endpoints/${id}/test`)
  const path = `/webhook_endpoints/${id}/deliveries/${delivery}`
  await waitUntil('the answer', async () => (await owner.send('GET', path)).response !== null)
  const page = await scene.plain(owner, `/webhooks/${id}`)
  await page.getByRole('link', { name: 'webhook_endpoints.test' }).click()
  expect(await page.content()).toMatch(/&lt;script(>|&gt;)alert\(1\)&lt;\/script/)
  const [request = ''] = await page.locator('pre[class=code]').allInnerTexts()
  expect(request).toContain(`webhook-id: ${delivery}`)
  expect(request).toContain(receiver.received[0]?.body)
  expect(request).not.toContain('signature')
  await page.getByRole('button', { name: 'Resend' }).click()
  expect(page.url()).toContain(`/webhooks/${id}/deliveries/${delivery}`)
  await waitUntil('another request', () => receiver.received.length === 2)
})
