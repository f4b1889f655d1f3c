import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

test('a test event is followed until it was tried, and a page that is in use stays as it is', async () => {
  const owner = await scene.newOwner()
  const { id } = await owner.send('POST', '/webhook_endpoints', {
    url: 'https://hooks.invalid/',
    event_types: ['installs.*'],
  })
  const { page, complaints } = await scene.draw(owner, `/webhooks/${id}`)
  expect(await page.getByText('This page updates automatically.').count()).toBe(0)
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText(/^1 attempt · /).waitFor()
  expect(await page.getByText('Pending').first().isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

test('a cluster waits for the first report of its agent, but not while something has the focus', async () => {
  const owner = await scene.newOwner()
  const { id } = await owner.send('POST', '/clusters', { name: 'eu-1' })
  await owner.send('POST', `/clusters/${id}/agent_secret`)
  const { page } = await scene.openAs(owner.person, { javaScriptEnabled: true })
  await page.clock.install()
  // The clock runs until it is paused, and cannot be moved back.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto(`${owner.root}/clusters/${id}`)
  await page.getByText('This page updates automatically.').waitFor()
  await page.evaluate('window.before = true')
  await page.getByLabel('Search').focus()
  await scene.stack.sql`
    update compute.clusters set reported_at = now() where id = ${id}`
  // Two looks would have come.
  await page.clock.runFor(4500)
  expect(await page.evaluate('window.before')).toBe(true)
  await page.evaluate('document.activeElement.blur()')
  await page.clock.runFor(2000)
  await page.getByText('Connected').waitFor()
  expect(await page.getByText('This page updates automatically.').count()).toBe(0)
})
