// The reference: a page for each operation, made from the contract, with examples that do what they say.
import { allExamples } from '@svc/contract/openapi/all-examples'
import { operations } from '@svc/contract/services'
import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { beforeAll, expect, test } from 'vitest'
import { curlLine } from '../../../src/web/docs/reference/example-lines.ts'
import { readerOf } from '../accessibility.ts'
import { wordsOfAll } from '../console/shell-words.ts'
import { setPageScene } from '../page-scene.ts'

const scene = forFile(setPageScene)
let url: string
beforeAll(async () => {
  ;[url] = scene.urls
})

const ids = operations.flatMap(({ service, name, operation }) =>
  operation.http ? [`${service}.${name}`] : [],
)
const pageOf = async (id: string) => (await fetch(`${url}/docs/reference/${id}`)).text()

test('the list leads to a page of each operation, which names its fields, errors and examples', async () => {
  const list = await (await fetch(`${url}/docs`)).text()
  expect(ids.length).toBeGreaterThan(60)
  for (const { service, name, operation } of operations) {
    if (!operation.http) continue
    const id = `${service}.${name}`
    expect(list).toContain(`href="/docs/reference/${id}"`)
    const page = await pageOf(id)
    const { shape = {} } = (operation.body ?? {}) as { shape?: object }
    for (const field of Object.keys(shape)) expect(page).toContain(`<code>${field}</code>`)
    expect(page).toContain('href="/docs/errors#40005"')
    expect(page).toContain('curl -sS ')
    expect(page).not.toContain('UNLICENSED')
  }
})

// They have the same layout; these have the deepest bodies and answers.
const deepest = ['offers.create_offer', 'compute.update_compute_settings']
const shown = everything ? [...deepest, ...ids.slice(0, 10)] : deepest.slice(0, 1)
const expectAccessible = readerOf(() => scene)
test.each(shown)('%s is accessible, in light and dark, and fits a phone', id =>
  expectAccessible({ show: page => page.goto(`${url}/docs/reference/${id}`) }, true),
)

test('an operation can be read and found without JavaScript', async () => {
  const { page } = await scene.openPlain()
  await page.goto(`${url}/docs`)
  await page.locator('main a[href="/docs/reference/offers.create_offer"]').click()
  await page.waitForURL(`${url}/docs/reference/offers.create_offer`)
  expect(await page.locator('main').innerText()).toContain('display_name')
  expect(await page.locator('nav').innerText()).toContain('Correct an offer')
})

test('the line of an example is read by a shell as the request that the contract has', async () => {
  const env = { base: 'http://svc.test', token: 'T', session: 'S' }
  const lines = await wordsOfAll(allExamples.map(curlLine), 'sh', env)
  expect(lines).toHaveLength(allExamples.length)
  for (const [at, { definition, request }] of allExamples.entries()) {
    const words = lines[at] ?? []
    const path = words.find(word => word.startsWith('http://svc.test/')) ?? ''
    expect(new URL(path).pathname).toMatch(
      new RegExp(`^${definition.http?.path.replace(/\{\w+\}/g, '[^/]+')}$`),
    )
    const { body } = request
    const data = words[words.indexOf('-d') + 1]
    if (body !== undefined) expect(JSON.parse(data ?? '')).toEqual(JSON.parse(JSON.stringify(body)))
  }
})
