import type { Page } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { violations } from '../accessibility.ts'
import { setPageScene } from '../page-scene.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  ;[url] = scene.urls
})

/** With what the browser complains about: errors of scripts, and what the policy forbids. */
async function open(path: string, javaScriptEnabled = true): Promise<{ page: Page; complaints: string[] }> {
  const { page, context } = await scene.open({ javaScriptEnabled })
  onTestFinished(() => context.close())
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  await page.goto(`${url}/docs/${path}`)
  return { page, complaints }
}

/** The visible ways of the first step that has several. */
const shownWays = (page: Page) =>
  page
    .locator('.ways')
    .first()
    .locator('> div:visible')
    .evaluateAll(parts => parts.map(part => part.getAttribute('data-way')))

test('without JavaScript each way is shown under its heading', async () => {
  const { page } = await open('quickstart', false)
  expect(await shownWays(page)).toEqual(['sh', 'ts', 'svc'])
  const first = page.locator('.ways').first()
  expect(await first.locator('h3:visible').allInnerTexts()).toEqual(['curl', 'TypeScript', 'svc'])
  expect(await page.locator('.ways input:visible, .copy').count()).toBe(0)
})

test('one way is shown, chosen by the keyboard, on all pages from then on', async () => {
  const { page, complaints } = await open('quickstart')
  expect(await shownWays(page)).toEqual(['sh'])
  await page.locator('.ways').first().getByRole('radio', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await shownWays(page)).toEqual(['ts'])
  expect(await page.locator('[data-way=sh]:visible').count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  expect(await shownWays(page)).toEqual(['svc'])
  await page.goto(`${url}/docs/selling`)
  expect(await page.locator('[data-way=svc]:visible').count()).toBeGreaterThan(1)
  // Where an example has no `svc`.
  await page.goto(`${url}/docs/workspaces`)
  expect(await page.locator('.ways').first().locator('[data-way=sh]').isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

test('an example that is far below stays where it is when another way is chosen', async () => {
  const { page } = await open('quickstart')
  const choice = page.locator('.ways').last().locator('label', { hasText: 'TypeScript' })
  await choice.scrollIntoViewIfNeeded()
  const before = await choice.boundingBox()
  await choice.click()
  expect(Math.abs(((await choice.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
})

test('the choice works where the script does not load', async () => {
  const { page, context } = await scene.open({ javaScriptEnabled: true })
  onTestFinished(() => context.close())
  await page.route('**/assets/docs.*.js', route => route.abort())
  await page.goto(`${url}/docs/quickstart`)
  await page.locator('.ways').first().locator('label', { hasText: 'TypeScript' }).click()
  expect(await shownWays(page)).toEqual(['ts'])
})

test('examples are copied as they stand, answers are not', async () => {
  const { page, complaints } = await open('quickstart')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const part = page.locator('[data-way=sh]').first()
  await part.getByRole('button', { name: 'Copy' }).click()
  await part.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toBe((await part.locator('code').innerText()).trimEnd())
  expect(copied).toContain('/api_tokens')
  expect(await page.locator('.answer button').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('results come while somebody types, and go with Escape', async () => {
  const { page, complaints } = await open('quickstart')
  const input = page.getByRole('search').getByLabel('Search')
  await input.pressSequentially('rotate')
  const results = page.locator('.found a')
  await results.first().waitFor()
  expect(await page.getByRole('search').getByRole('status').innerText()).toMatch(/^\d+ results$/)
  expect(await violations(page).catch(error => error)).toEqual([])
  await page.keyboard.press('Escape')
  expect([await results.count(), await input.inputValue()]).toEqual([0, ''])
  await input.pressSequentially('limits on json')
  await page.locator('.found a[href^="/docs/limits"]').first().click()
  await page.waitForURL(/\/docs\/limits/)
  expect(complaints).toEqual([])
})

test('the reference searches as well', async () => {
  const { page, complaints } = await open('')
  await page.getByRole('search').getByLabel('Search').fill('quickstart')
  await page.locator('.found a[href="/docs/quickstart"]').click()
  await page.waitForURL(`${url}/docs/quickstart`)
  expect(complaints).toEqual([])
})
