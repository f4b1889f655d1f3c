// The pages of the documentation: without JavaScript, accessible, on a phone, by keyboard, cached by browsers.

import { openApiDocument } from '@svc/contract/openapi/document'
import { joinProduct } from '@svc/testing/stack/join-product'
import { patience } from '@svc/testing/size'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guideNames } from '../../src/docs/guide-names.ts'
import { readerOf } from '../pages/accessibility.ts'
import { type PageScene, setPageScene, signIn } from '../pages/page-scene.ts'
import { documented } from './reference-links.ts'

let scene: PageScene
let url: string
beforeAll(async () => {
  scene = await setPageScene(joinProduct)
  ;[url] = scene.urls
})
afterAll(() => scene?.stop())

const expectAccessible = readerOf(() => scene, '/docs/errors')

test.each(guideNames)(
  '%s is accessible, in light and dark, and fits a phone',
  { timeout: patience(90_000) },
  name => expectAccessible({ show: page => page.goto(`${url}/docs/${name}`) }),
)

test('guides and the list of operations can be read without JavaScript', async () => {
  const { page } = await scene.open()
  await page.goto(`${url}/docs`)
  expect(await page.locator('noscript li').count()).toBe(documented.length)
  const navigation = page.getByRole('navigation', { name: 'Documentation' })
  for (const name of guideNames) {
    await navigation.locator(`a[href="/docs/${name}"]`).click()
    await page.waitForURL(`${url}/docs/${name}`)
    expect(await navigation.locator('[aria-current=page]').innerText()).toBe(
      await page.locator('h1').innerText(),
    )
  }
})

test('an error has links by its code and by its tag', async () => {
  const { page } = await scene.open()
  for (const [fragment, text] of [
    ['40901', '40901'],
    ['conflict', 'Conflict'],
  ]) {
    await page.goto(`${url}/docs/errors#${fragment}`)
    expect(await page.locator(':target').innerText()).toBe(text)
  }
})

test('the policy of a guide allows no scripts, and that of the reference says which', async () => {
  const policyOf = async (path: string) =>
    (await fetch(url + path)).headers.get('content-security-policy') ?? ''
  expect(await policyOf('/docs/errors')).not.toContain('script')
  const policy = await policyOf('/docs')
  expect(policy.split(';')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
    ]),
  )
  expect(policy).not.toContain('unsafe')
})

const kept = ['/v1/openapi.json', '/docs', '/docs/errors', '/docs/errors.md', '/llms.txt']

test.each(kept)('%s is revalidated from the cache', async path => {
  const first = await fetch(url + path)
  const etag = first.headers.get('etag') ?? ''
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  for (const held of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const again = await fetch(url + path, { headers: { 'if-none-match': held } })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  }
  const other = await fetch(url + path, { headers: { 'if-none-match': '"other"' } })
  expect([other.status, await other.text()]).toEqual([200, await first.text()])
})

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', null],
])('the document is sent to clients that accept %s as %s', async (accepted, coding) => {
  const answer = await fetch(`${url}/v1/openapi.json`, { headers: { 'accept-encoding': accepted } })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  expect(answer.headers.get('vary')).toBe('accept-encoding')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  if (coding) expect(Number(answer.headers.get('content-length'))).toBeLessThan(40_000)
  expect(await answer.text()).toBe(JSON.stringify(openApiDocument(scene.stack.dev.base_url)))
})

test('files of pages are never requested again', async () => {
  const first = await fetch(`${url}/docs`)
  const files = [...(await first.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => path,
  )
  expect(files).toHaveLength(6)
  for (const path of files) {
    const file = await fetch(url + path)
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('content-encoding')).toMatch(/^(br|gzip)$/)
    const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(await file.text())
  }
})

test('the sign-in page and those behind it link to the documentation', async () => {
  const { page } = await scene.open()
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'API documentation' })
  await page.goto(`${url}/sign-in`)
  expect(await link.getAttribute('href')).toBe('/docs')
  await signIn(page, await scene.newPerson())
  expect(await link.getAttribute('href')).toBe('/docs')
})

test('programs that read find a Markdown index of the guides', async () => {
  const index = await (await fetch(`${url}/llms.txt`)).text()
  const links = [...index.matchAll(/\]\(([^)]+\.md)\): \S/g)].map(([, link]) => link)
  expect(links).toEqual(guideNames.map(name => `${url}/docs/${name}.md`))
  const markdown = await fetch(links[0] ?? '')
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
})

test('an unknown guide is not found', async () => {
  expect((await fetch(`${url}/docs/unknown`)).status).toBe(404)
})
