// The pages of the documentation: without JavaScript, accessible, on a phone, by keyboard, cached by browsers.

import { readFile } from 'node:fs/promises'
import { openApiDocument } from '@svc/contract/openapi/document'
import { operations } from '@svc/contract/services'
import { everything } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { guideNames } from '../../../src/web/docs/guide-names.ts'
import { readerOf } from '../accessibility.ts'
import { setPageScene, signIn } from '../page-scene.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  ;[url] = scene.urls
})

const expectAccessible = readerOf(
  () => scene,
  page => page.goto(`${scene.urls[0]}/docs/errors`),
)

// All of them have the same layout; this one has tabs and tables.
test.each(everything ? guideNames : ['quickstart'])(
  '%s is accessible, in light and dark, and fits a phone',
  name => expectAccessible({ show: page => page.goto(`${url}/docs/${name}`) }, true),
)

test('guides can be read without JavaScript', async () => {
  const { page } = await scene.openPlain()
  await page.goto(`${url}/docs`)
  const navigation = page.locator('nav[aria-label=Documentation]')
  for (const name of guideNames) {
    await navigation.locator(`a[href="/docs/${name}"]`).click()
    await page.waitForURL(`${url}/docs/${name}`)
    expect(await navigation.locator('a[aria-current=page]').innerText()).toBe(
      await page.locator('h1').innerText(),
    )
  }
})

test('an error has links by its code and by its tag', async () => {
  const text = await (await fetch(`${url}/docs/errors`)).text()
  for (const [fragment, shown] of [
    ['40901', '40901'],
    ['conflict', 'Conflict'],
  ])
    expect(text).toMatch(new RegExp(`id="${fragment}"[^>]*>(<[^>]*>)*${shown}<`))
})

test.runIf(everything)('the results of a search are accessible, in light and dark, and fit a phone', () =>
  expectAccessible({ show: page => page.goto(`${url}/docs/search?q=offer`) }, true),
)

test('the search works without JavaScript', async () => {
  const { page } = await scene.openPlain()
  const find = async (words: string) => {
    await page.goto(`${url}/docs/errors`)
    await page.getByLabel('Search').fill(words)
    await page.getByRole('button', { name: 'Go' }).click()
    return page.locator('main')
  }
  const found = await find('rotate token')
  await found.getByRole('link', { name: 'Rotate' }).first().click()
  expect(page.url()).toContain('/docs/reference/auth-tokens.rotate_api_token')
  expect(await (await find('<b>nothing</b>')).innerText()).toContain('<b>nothing</b>')
})

test.each([
  ['40911', '/docs/errors#40911'],
  ['quickstart', '/docs/quickstart'],
  ['mail preferences', '/docs/workspaces#mail-preferences'],
  ['POST /offers', '/docs/reference/offers.create_offer'],
  ['idempotency-key', '/docs/idempotency'],
  ['ｑｕｉｃｋｓｔａｒｔ', '/docs/quickstart'],
])('a search for %s finds %s', async (words, path) => {
  const answer = await fetch(`${url}/docs/search.json?q=${encodeURIComponent(words)}`)
  const found = (await answer.json()) as { path: string }[]
  expect(found.slice(0, 3).map(one => one.path)).toContain(path)
})

test.each(['', '?q=', '?q=%20', '?q=%00', `?q=${'a'.repeat(5000)}`, '?q=%ff&q=b', '?q=zzzz'])(
  'a search for %j finds nothing, and says so',
  async query => {
    const answer = await fetch(`${url}/docs/search.json${query}`)
    expect([answer.status, await answer.json()]).toEqual([200, []])
    expect((await fetch(`${url}/docs/search${query}`)).status).toBe(200)
  },
)

test('every result of a search leads to a section or an operation', async () => {
  const built = await readFile(new URL('../../../dist/search-index.json', import.meta.url), 'utf8')
  const paths = (JSON.parse(built) as { path: string }[]).map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths).toEqual(
    expect.arrayContaining(
      operations.flatMap(({ service, name, operation: { http } }) =>
        http ? [`/docs/reference/${service}.${name}`] : [],
      ),
    ),
  )
  for (const name of guideNames) {
    const page = await (await fetch(`${url}/docs/${name}`)).text()
    const sections = paths.filter(path => path.startsWith(`/docs/${name}#`))
    expect(sections.length).toBeGreaterThan(1)
    for (const path of sections) expect(page).toContain(`id="${path.split('#')[1]}"`)
  }
})

test('the policy of the documentation allows its own scripts alone', async () => {
  const policyOf = async (path: string) =>
    (await fetch(url + path)).headers.get('content-security-policy') ?? ''
  for (const path of ['/docs', '/docs/reference/offers.create_offer', '/docs/errors', '/docs/search'])
    expect((await policyOf(path)).split(';')).toEqual(
      expect.arrayContaining([
        ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
        ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
      ]),
    )
})

const kept = [
  '/v1/openapi.json',
  '/docs',
  '/docs/reference/offers.create_offer',
  '/docs/errors',
  '/docs/errors.md',
  '/llms.txt',
  '/llms-full.txt',
]

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
  if (coding) expect(Number(answer.headers.get('content-length'))).toBeLessThan(58_000)
  expect(await answer.text()).toBe(JSON.stringify(openApiDocument(scene.stack.dev.base_url)))
})

test('files of pages are never requested again', async () => {
  const first = await fetch(`${url}/docs`)
  const files = [...(await first.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => path,
  )
  expect(files).toHaveLength(4)
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
  const { page } = await scene.openPlain()
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'API documentation' })
  await page.goto(`${url}/sign-in`)
  expect(await link.getAttribute('href')).toBe('/docs')
  await signIn(page, await scene.newPerson())
  expect(await link.getAttribute('href')).toBe('/docs')
})

test('programs that read find a Markdown index of the guides', async () => {
  const index = await (await fetch(`${url}/llms.txt`)).text()
  const links = [...index.matchAll(/\]\(([^)]+\.md)\): \S/g)].map(([, link]) => link)
  const guides = guideNames.map(name => `${url}/docs/${name}.md`)
  expect(links).toEqual(guides)
  expect(index).toContain('svc offers create')
  expect(index.indexOf('selling.md')).toBeLessThan(index.indexOf('## Docs'))
  const markdown = await fetch(links[0] ?? '')
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
})

test('programs that read find all guides in one file', async () => {
  const whole = await (await fetch(`${url}/llms-full.txt`)).text()
  expect(await (await fetch(`${url}/llms.txt`)).text()).toContain(`${url}/llms-full.txt`)
  const titles = guideNames.map(
    async name => (await (await fetch(`${url}/docs/${name}.md`)).text()).split('\n')[0],
  )
  for (const title of await Promise.all(titles)) expect(whole).toContain(`\n${title}\n`)
  expect(whole).not.toMatch(/\]\([/#]/)
})

test('an unknown guide is not found', async () => {
  expect((await fetch(`${url}/docs/unknown`)).status).toBe(404)
})
