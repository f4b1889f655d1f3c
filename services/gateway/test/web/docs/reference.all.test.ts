import type { Page } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { violations } from '../accessibility.ts'
import { setPageScene } from '../page-scene.ts'
import { documented, linkTo } from './reference-links.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  ;[url] = scene.urls
})

interface Watched {
  readonly page: Page
  /** Addresses outside this gateway that the page requested. */
  readonly elsewhere: string[]
  /** Violations of the policy, and script errors. */
  readonly complaints: string[]
}

const viewport = { width: 1280, height: 900 }
/** The visitor is signed in, and followed a link that names other documents. */
const others = '?url=https://other.example/openapi.json&configUrl=https://other.example/c.json'

async function openReference(address = ''): Promise<Watched> {
  const { page } = await scene.openAs(await scene.newPerson(), { javaScriptEnabled: true, viewport })
  const watched = watch(page)
  await page.goto(`${url}/docs${address}`)
  await page.locator('.opblock').first().waitFor()
  return watched
}

/** Swagger UI takes each name with an underscore for an old kind of link, but still finds it. */
const underscores = 'Deprecated: escaping deep link whitespace with `_`'

function watch(page: Page): Watched {
  const elsewhere: string[] = []
  const complaints: string[] = []
  page.on('request', request => {
    const address = request.url()
    if (!address.startsWith(`${url}/`) && !address.startsWith('data:')) elsewhere.push(address)
  })
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint && !message.text().startsWith(underscores)) complaints.push(message.text())
  })
  return { page, elsewhere, complaints }
}

test('shows every operation of the document', async () => {
  const { page, elsewhere, complaints } = await openReference()
  await expect.poll(() => page.locator('.opblock').count()).toBe(documented.length)
  expect(documented.length).toBeGreaterThan(40)
  expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] })
})

test('shows all of an operation at its link', async () => {
  const { page, elsewhere, complaints } = await openReference(linkTo('offers.create_offer'))
  const opened = page.locator('.opblock.is-open')
  await opened.waitFor()
  expect(await opened.locator('.opblock-summary-path').innerText()).toContain('/offers')
  await opened.getByText('Idempotency-Key').first().waitFor()
  expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] })
})

test('is accessible, in light and dark, and fits a phone', async () => {
  const { page } = await openReference(linkTo('compute.update_compute_settings'))
  await page.locator('.opblock.is-open .responses-wrapper').waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect.poll(() => page.locator('html.dark-mode').count()).toBe(colorScheme === 'dark' ? 1 : 0)
    expect(await violations(page)).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await page.setViewportSize(viewport)
})

test('tries an operation out with a pasted token, and never with the session of the person signed in', async () => {
  const { page, elsewhere, complaints } = await openReference(linkTo('offers.create_offer'))
  expect(await page.context().cookies()).toContainEqual(
    expect.objectContaining({ name: '__Host-svc_session' }),
  )
  const operation = page.locator('.opblock.is-open')
  await operation.getByRole('button', { name: 'Try it out' }).click()

  const body = operation.locator('textarea.body-param__text')
  await body.fill(JSON.stringify({ product_id: scene.stack.dev.product_id }))
  const nobody = await execute(page)
  expect(nobody.status()).toBe(401)
  expect(await nobody.request().allHeaders()).not.toHaveProperty('cookie')

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  // The first kind of credential.
  await page.locator('.dialog-ux input').first().fill(scene.stack.dev.api_token)
  await page.locator('.dialog-ux').getByRole('button', { name: 'Apply' }).first().click()
  await page.locator('.dialog-ux').getByRole('button', { name: 'Close' }).last().click()
  const answer = await execute(page)
  expect(answer.status()).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  await operation.locator('.live-responses-table').getByText(id).first().waitFor()
  expect(await answer.request().allHeaders()).not.toHaveProperty('cookie')
  // The browser itself reports the answer 401.
  const unexpected = complaints.filter(line => !line.includes('status of 401'))
  expect({ elsewhere, unexpected }).toEqual({ elsewhere: [], unexpected: [] })
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  expect(kept).not.toContain(scene.stack.dev.api_token)
})

async function execute(page: Page) {
  const answered = page.waitForResponse(response => response.url() === `${url}/v1/offers`)
  await page.locator('.opblock.is-open').getByRole('button', { name: 'Execute' }).click()
  return answered
}

test('cannot be made to load another document by its address', async () => {
  const { page, elsewhere } = await openReference(others)
  expect(page.url()).toContain(others)
  await expect.poll(() => page.locator('.opblock').count()).toBe(documented.length)
  expect(elsewhere).toEqual([])
})

test('an inline script is refused on its page', async () => {
  const { page, complaints } = await openReference()
  const run = page.evaluate(`(() => { const script = document.createElement('script')
    script.text = 'window.ran = true'; document.body.append(script) })()`)
  await expect(run).rejects.toThrow('TrustedScript')
  expect(await page.evaluate('window.ran')).toBeUndefined()
  expect(complaints.join()).toContain('TrustedScript')
})
