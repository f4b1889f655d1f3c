import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { setConsoleScene } from './console-scene.ts'
import { linesIn } from './shell-words.ts'

const scene = forFile(setConsoleScene)

test.each([
  ['Asia/Tokyo', '2030-06-30T21:00', '30 Jun 2030, 21:00'],
  // It has summer time then.
  ['America/New_York', '2030-06-30T08:00', '30 Jun 2030, 08:00'],
  ['UTC', '2030-06-30T12:00', '30 Jun 2030, 12:00'],
])('in %s', async (timezoneId, local, shown) => {
  const owner = await scene.newOwner()
  const { page, complaints } = await scene.draw(owner, '/tokens/new', { timezoneId })
  const ends = page.getByLabel(`(${timezoneId})`)
  // What the form proposes is the same moment, wherever it is read.
  const proposed = await ends.inputValue()
  const hour = (text: string) => text.slice(11, 13)
  if (timezoneId === 'UTC') expect(await ends.getAttribute('value')).toBe(proposed)
  else expect(hour(proposed)).not.toBe(hour((await ends.getAttribute('value')) ?? ''))
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await ends.fill(local)
  expect(linesIn(await page.content())?.svc).toContain(`--expires-at ${Date.UTC(2030, 5, 30, 12) / 1000}`)
  await page.getByLabel('All that a member may').click()
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('Copy it now.').waitFor()
  const [token] = await scene.stack.sql<{ at: Date }[]>`
    select expires_at as at from auth_tokens.api_tokens where workspace_id = ${owner.workspace}`
  expect(token?.at.toISOString()).toBe('2030-06-30T12:00:00.000Z')
  await page.goto(`${owner.root}/tokens`)
  const cell = page.locator('.when', { hasText: '2030' })
  expect(await cell.locator('time').innerText()).toBe(shown)
  expect(await cell.getAttribute('title')).toBe('30 Jun 2030, 12:00 UTC')
  expect(complaints).toEqual([])
})

test('a refused form has the moment that was typed, and the filters of events as well', async () => {
  const owner = await scene.newOwner()
  const { page } = await scene.draw(owner, '/tokens/new', { timezoneId: 'Asia/Tokyo' })
  const ends = page.getByLabel('(Asia/Tokyo)')
  await ends.fill('2030-06-30T21:00')
  await page.getByLabel('All that a member may').click()
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('alert').waitFor()
  expect(await ends.inputValue()).toBe('2030-06-30T21:00')
  await page.goto(`${owner.root}/activity`)
  const from = page.getByLabel('(Asia/Tokyo)').first()
  await from.fill('2030-06-30T21:00')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL(/from=2030-06-30T12%3A00/)
  expect(await from.inputValue()).toBe('2030-06-30T21:00')
})
