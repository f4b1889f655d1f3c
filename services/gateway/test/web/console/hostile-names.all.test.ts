import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { newCatalogue, newChannel, setConsoleScene } from './console-scene.ts'
import { manualPolicy } from '../store/offer/offer-scene.ts'

const scene = forFile(setConsoleScene)

const markup = `"'><img src=x onerror=ran=1></script><script>ran=1</script>`
const long = 'x'.repeat(200)
const schema = {
  title: markup,
  properties: {
    toString: { type: 'string', title: markup, description: markup, default: markup },
    constructor: { type: 'string', title: long, description: long, enum: [markup, long, "it's"] },
    [markup]: { type: 'object', properties: { a: { type: 'string', title: '\u202eevil' } } },
    [long]: { type: 'integer' },
  },
}

test('markup and long words run nothing and fit a phone on every page that shows them', async () => {
  const name = (markup + long).slice(0, 200)
  const owner = await scene.newOwner()
  const { package_id, version_id, product_id } = await newCatalogue(owner, schema, name)
  const channel = await newChannel(owner, product_id, { ...manualPolicy, support: name }, name)
  const { id: offer } = await owner.send('POST', '/offers', {
    product_id,
    notes: name,
    internal_note: name,
    customer: { display_name: name, external_id: name },
    field_values: { toString: { value: name, locked: true } },
  })
  const { id: cluster } = await owner.send('POST', '/clusters', { name: name.slice(0, 100) })
  await owner.send('POST', '/api_tokens', { name: name.slice(0, 100) })
  const { page, complaints } = await scene.draw(owner)
  await page.setViewportSize({ width: 320, height: 700 })
  const wrong: unknown[] = []
  for (const path of [
    '',
    '/offers',
    `/offers/${offer}`,
    '/offers/new',
    `/offers/new?product_id=${product_id}&offer_channel_id=${channel}`,
    `/offers/new?from=${offer}`,
    ...['products', 'packages', 'channels'].map(kind => `/catalogue?kind=${kind}`),
    `/catalogue/packages/${package_id}`,
    `/catalogue/products/${product_id}`,
    `/catalogue/channels/${channel}`,
    `/catalogue/channels/${channel}/policies/1`,
    `/catalogue/versions/${version_id}`,
    `/catalogue/packages/${package_id}/versions/new?from=${version_id}`,
    '/clusters',
    `/clusters/${cluster}`,
    `/clusters/${cluster}/delete`,
    '/tokens',
    `/search?q=${encodeURIComponent(name)}`,
  ]) {
    const status = (await page.goto(owner.root + path))?.status()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    const ran = await page.evaluate(() => 'ran' in window)
    if (width !== 320 || ran || (status !== 200 && !path.startsWith('/search')))
      wrong.push({ path, status, width, ran })
  }
  expect(wrong).toEqual([])
  expect(complaints.filter(text => !text.includes('404'))).toEqual([])
})

test('names older than the rules turn no text around, and show something', async () => {
  const owner = await scene.newOwner()
  const { package_id, version_id, product_id } = await newCatalogue(owner, schema)
  const channel = await newChannel(owner, product_id, manualPolicy)
  const { id: cluster } = await owner.send('POST', '/clusters', { name: 'Cluster' })
  const { sql } = scene.stack
  for (const table of ['offers.packages', 'offers.products', 'offers.offer_channels', 'compute.clusters'])
    await sql`update ${sql(table)} set name = ${'Acme\u202egnp.exe'} where workspace_id = ${owner.workspace}`
  const pages = [
    ...['products', 'packages', 'channels'].flatMap(kind => [
      `/catalogue?kind=${kind}`,
      `/catalogue/${kind}/new`,
    ]),
    ...['', '/rename', '/delete', '/versions/new'].map(last => `/catalogue/packages/${package_id}${last}`),
    ...['', '/rename', '/delete'].map(last => `/catalogue/products/${product_id}${last}`),
    ...['', '/edit', '/delete', '/policies/new', '/policies/1'].map(
      last => `/catalogue/channels/${channel}${last}`,
    ),
    `/catalogue/versions/${version_id}`,
    '/clusters',
    ...['', '/rename', '/delete', '/settings', '/agent-secret'].map(last => `/clusters/${cluster}${last}`),
  ]
  const page = await scene.plain(owner)
  for (const path of pages) {
    await page.goto(owner.root + path)
    const html = await page.content()
    // Fields to be changed and schemas have it as it is.
    const shown = html.replace(
      /<(input|textarea)\b[^>]*>|<script[^>]*>.*?<\/script>|<pre class="code">.*?<\/pre>/gs,
      '',
    )
    expect(shown.includes('\u202e'), path).toBe(false)
  }
})

test('a preview of a schema that is none shows no more than that', async () => {
  const owner = await scene.newOwner()
  const { package_id } = await newCatalogue(owner)
  const { page, complaints } = await scene.draw(owner, `/catalogue/packages/${package_id}/versions/new`)
  const said: string[] = []
  for (const text of [
    '{"properties":null}',
    '{"$ref":"#"}',
    '{"type":"object","properties":null}',
    '{"type":"object","$ref":"#"}',
    `{"title":"</script><script>ran=1</script>"}`,
    `{"type":"object","properties":{"a":{"title":"</script><script>ran=1</script>"}}}`,
    '{"type":"object","properties":{"a":{"$ref":"https://evil.example/"}}}',
  ]) {
    await page.getByLabel('Order form (JSON Schema)').fill(text)
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Preview' }).click()])
    await page.getByRole('heading', { name: 'Preview' }).waitFor()
    said.push((await page.getByText('There’s no form: ').allInnerTexts()).join())
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(await page.getByLabel('Order form (JSON Schema)').inputValue()).toBe(text)
  }
  expect(complaints).toEqual([])
  const noType = expect.stringContaining('the type of the schema must be "object"')
  expect(said).toEqual([noType, noType, expect.stringContaining('must be an object'), '', noType, '', ''])
})
