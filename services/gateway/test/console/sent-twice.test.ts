// A form that is sent twice does what it does once.
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Jar } from '../pages/cookie-jar.ts'
import { type ConsoleScene, newCatalogue, type Seat, setConsoleScene } from './console-scene.ts'

let scene: ConsoleScene
beforeAll(async () => {
  scene = await setConsoleScene(joinProduct)
})
afterAll(() => scene?.stop())

async function jarOf({ person }: Seat) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(person))
  return jar
}

const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
const countOf = async (table: string, { workspace }: Seat) =>
  (await scene.stack.sql`select 1 from ${scene.stack.sql(table)} where workspace_id = ${workspace}`).count

test('two clicks on a button create one token, and show its secret', async () => {
  const owner = await scene.newOwner()
  const { page, complaints } = await scene.draw(owner, '/tokens/new')
  const sent: string[] = []
  page.on('request', request => request.method() === 'POST' && sent.push(request.url()))
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await page.getByRole('button', { name: 'Create the token' }).dblclick()
  await page.getByText('Copy it now.').waitFor()
  expect(sent).toHaveLength(1)
  expect(await countOf('auth_tokens.api_tokens', owner)).toBe(1)
  expect(complaints).toEqual([])
})

test('after going back the form can be sent again at once', async () => {
  const owner = await scene.newOwner()
  const { page } = await scene.draw(owner, '/tokens/new')
  for (const count of [1, 2]) {
    await page.getByLabel('Name', { exact: true }).fill('ci')
    await page.getByRole('button', { name: 'Create the token' }).click()
    await page.getByText('Copy it now.').waitFor()
    expect(await countOf('auth_tokens.api_tokens', owner)).toBe(count)
    await page.goBack()
  }
})

test('the form of an offer that arrives twice at the same time makes one offer', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  const jar = await jarOf(owner)
  const address = `${owner.root}/offers/new?product_id=${product_id}`
  const { csrf, text } = await jar.ask(address)
  const form = {
    _csrf: csrf,
    key: hidden(text, 'key'),
    order_ttl_minutes: '120',
    max_uses: '1',
    currency: 'eur',
    interval: 'month',
  }
  const answers = await Promise.all([1, 2, 3].map(() => jar.ask(address, { form })))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
  expect(await countOf('offers.offers', owner)).toBe(1)
  // The page that is opened anew is for another one.
  const again = await jar.ask(address)
  expect(hidden(again.text, 'key')).not.toBe(form.key)
})

test('the key of an offer with another content is refused at the form', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  const jar = await jarOf(owner)
  const address = `${owner.root}/offers/new?product_id=${product_id}`
  const { csrf, text } = await jar.ask(address)
  const form = {
    _csrf: csrf,
    key: hidden(text, 'key'),
    order_ttl_minutes: '120',
    currency: 'eur',
    interval: 'month',
  }
  expect((await jar.ask(address, { form })).status).toBe(303)
  const other = await jar.ask(address, { form: { ...form, notes: 'Another one' } })
  expect(other.status).toBe(409)
  expect(other.text).toContain('There is a problem')
  expect(await countOf('offers.offers', owner)).toBe(1)
})

test('steps of the first offer that are sent again make nothing twice', async () => {
  const owner = await scene.newOwner()
  const jar = await jarOf(owner)
  const address = `${owner.root}/start`
  const schema = '{"type":"object","properties":{}}'
  const steps: Record<string, string>[] = [
    { step: 'package', name: 'Engine' },
    { step: 'version', version: '1.0.0', input_schema: schema },
    { step: 'product', name: 'Engine' },
    { step: 'offer', currency: 'eur', interval: 'month' },
  ]
  for (const fields of steps) {
    const { csrf, text } = await jar.ask(address)
    const form = { ...fields, _csrf: csrf, key: hidden(text, 'key') }
    for (let time = 0; time < 2; time++) expect((await jar.ask(address, { form })).status).toBe(303)
  }
  for (const table of ['packages', 'package_versions', 'products', 'offers'])
    expect([table, await countOf(`offers.${table}`, owner)]).toEqual([table, 1])
})
