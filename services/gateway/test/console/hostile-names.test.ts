// Names and schemas that try to be markup, scripts or wider than a phone.
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleScene, newCatalogue, newChannel, setConsoleScene } from './console-scene.ts'
import { manualPolicy } from '../pages/offer/offer-scene.ts'

let scene: ConsoleScene
beforeAll(async () => {
  scene = await setConsoleScene(joinProduct)
})
afterAll(() => scene?.stop())

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
  await page.context().close()
})

test('a preview of a schema that is none shows no more than that', async () => {
  const owner = await scene.newOwner()
  const { package_id } = await newCatalogue(owner)
  const { page, complaints } = await scene.draw(owner, `/catalogue/packages/${package_id}/versions/new`)
  for (const text of [
    '{"properties":null}',
    '{"$ref":"#"}',
    `{"title":"</script><script>ran=1</script>"}`,
    '{"type":"object","properties":{"a":{"$ref":"https://evil.example/"}}}',
  ]) {
    await page.getByLabel('What the customer fills in').fill(text)
    await page.getByRole('button', { name: 'Show what customers see' }).click()
    await page.getByRole('heading', { name: 'What customers see' }).waitFor()
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(await page.getByLabel('What the customer fills in').inputValue()).toBe(text)
  }
  expect(complaints).toEqual([])
  await page.context().close()
})
