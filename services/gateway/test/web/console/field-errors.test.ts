// What is wrong with a form is said at its field, and above the form with a link to it; what was typed stays.
import { everything } from '@svc/testing/size'
import type { BrowserContext } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { manualPolicy } from '../store/offer/offer-scene.ts'
import { press } from '../page-scene.ts'
import type { Tab } from '../tab.ts'
import {
  type Catalogue,
  newCatalogue,
  newChannel,
  type Seat,
  pick,
  setConsoleScene,
} from './console-scene.ts'

const scene = forFile(setConsoleScene)
let owner: Seat
let made: Catalogue
let channel: string
beforeAll(async () => {
  owner = await scene.newOwner()
  made = await newCatalogue(owner)
  channel = await newChannel(owner, made.product_id, manualPolicy)
})

/** The message stands at the field whose label that is, and the summary leads there. */
async function expectProblem(page: Tab, label: string, message: RegExp, typed: string) {
  const field = page.getByLabel(label)
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  const described = (await field.getAttribute('aria-describedby')) ?? ''
  const id = described.split(' ').find(one => one.endsWith('-problem')) ?? ''
  expect(await page.locator(`p[id="${id}"]`).innerText()).toMatch(message)
  expect(await field.inputValue()).toBe(typed)
  const name = await field.getAttribute('name')
  expect(await page.locator(`a[href="#${name}"]`).innerText()).toMatch(message)
  expect(await field.getAttribute('id')).toBe(name)
  expect(await page.getByRole('alert').innerText()).toMatch(/There’s a problem|There are \d problems/)
  expect(await page.title()).toMatch(/^Error: /)
}

test('the price of an offer beyond what the policy of its channel allows', async () => {
  const page = await scene.plain(
    owner,
    `/offers/new?product_id=${made.product_id}&offer_channel_id=${channel}`,
  )
  await page.getByLabel('Price').fill('10000.01')
  await page.getByLabel('Message to customer').fill('Kept <b>')
  expect((await press(page, 'Publish offer')).status()).toBe(422)
  await expectProblem(page, 'Price', /^Must be between 0\.00 and 10,000\.00\.$/, '10000.01')
  // As the browser of the tests has it, or Chromium.
  expect(await page.content()).toMatch(/Kept &lt;b(>|&gt;)/)
})

test.each([
  ['https://10.0.0.1/hook', /./],
  ['http://example.com/hook', /https/],
  ['not an address', /./],
])('the URL of an endpoint that cannot be reached from here: %s', async (url, message) => {
  const page = await scene.plain(owner, '/webhooks/new')
  await page.getByLabel('URL').fill(url)
  expect([400, 422]).toContain((await press(page, 'Add endpoint')).status())
  await expectProblem(page, 'URL', message, url)
})

test('what was typed of a policy stays when one price is chosen instead of limits, and back', async () => {
  const page = await scene.plain(owner, `/catalogue/channels/${channel}/policies/new`)
  await page.getByLabel('Maximum price').fill('77.50')
  await page.getByLabel('Support').fill('By phone')
  await press(page, 'Use a fixed price')
  expect(await page.getByLabel('Support').inputValue()).toBe('By phone')
  await page.locator('input[name="unit_amount"]').fill('55.00')
  await press(page, 'Use a price range')
  expect(await page.getByLabel('Maximum price').inputValue()).toBe('77.50')
  await press(page, 'Use a fixed price')
  expect(await page.locator('input[name="unit_amount"]').inputValue()).toBe('55.00')
  await press(page, 'Create and review')
  const { policy } = await owner.send('GET', `/offer_channels/${channel}/policies/2`)
  expect(policy).toMatchObject({ support: 'By phone', pricing: { kind: 'fixed', unit_amount: 5500 } })
})

/** A form of a policy with a range, filled in. */
async function rangeForm(open: (path: string) => Promise<Tab>) {
  const page = await open(`/catalogue/channels/${channel}/policies/new?pricing=range`)
  const amounts = { 'Minimum price': '10.00', 'Maximum price': '50.00', 'Default price': '20.00' }
  for (const [label, amount] of Object.entries(amounts)) await page.getByLabel(label).fill(amount)
  return page
}

test.each([
  ['Default price', '9.99', /^Must be between 10\.00 and 50\.00\.$/],
  ['Maximum price', '9.00', /^Must be at least the minimum price\.$/],
  ['Maximum price', '99999999.00', /^Must be at most 1,000,000\.00\.$/],
])('prices of a policy are refused in money: %s %s', async (label, typed, message) => {
  const page = await rangeForm(path => scene.plain(owner, path))
  await page.getByLabel(label).fill(typed)
  expect((await press(page, 'Create and review')).status()).toBe(400)
  await expectProblem(page, label, message, typed)
})

test('a range of prices without a currency says that, and nothing of the default currency', async () => {
  let context: BrowserContext | undefined
  const page = await rangeForm(async path => {
    const { page } = await scene.draw(owner, path)
    context = page.context()
    for (const currency of ['EUR', 'USD']) await page.getByLabel(currency).uncheck()
    return page
  })
  expect((await press(page, 'Create and review')).status()).toBe(400)
  expect(await page.locator('p.problem').allInnerTexts()).toEqual(['Select at least one.'])
  await context?.close()
})

test.each([
  ['product', 'package'],
  ['channel', 'product'],
])('a new %s without any %s leads to what is needed first', async (kind, needed) => {
  const page = await scene.plain(await scene.newOwner(), `/catalogue/${kind}s/new`)
  const first = page.locator('main').getByRole('link', { name: `Create your first ${needed}` })
  expect(await first.getAttribute('href')).toMatch(new RegExp(`/catalogue/${needed}s/new$`))
  expect(await page.locator('main form').count()).toBe(0)
})

test('a secret that was typed does not come back with a refusal', async () => {
  const schema = { properties: { password: { type: 'string', format: 'password' } } }
  const { product_id } = await newCatalogue(owner, schema)
  const page = await scene.plain(owner, `/offers/new?product_id=${product_id}`)
  await page.getByLabel('Password (optional)').fill('hunter2-hunter2')
  await page.getByLabel('Number of orders').fill('0')
  await pick(page, 'Free')
  expect((await press(page, 'Publish offer')).status()).toBe(400)
  expect(await page.content()).not.toContain('hunter2')
  expect(await page.content()).toContain('For security, enter this again')
})

const wrong: [path: string, label: string, typed: string, button: string, message: RegExp][] = [
  ['/tokens/new', 'Name', 'x'.repeat(101), 'Create token', /100/],
  ['/tokens/new', 'Name', '', 'Create token', /^Name is required\.$/],
  ['/tokens/new', 'Expires (UTC)', 'tomorrow', 'Create token', /Enter a date and time in UTC/],
  ['/tokens/new', 'Expires (UTC)', '2001-01-01T00:00', 'Create token', /./],
  ['/members/invite', 'Email address', 'nobody', 'Send invitation', /./],
  ['/settings', 'Name', 'x\u200b', 'Save', /U\+200B/],
  ['/settings', 'Support email', 'nobody', 'Save', /./],
  ['/clusters/new', 'Name', 'x'.repeat(101), 'Create cluster', /100/],
  ['/catalogue/packages/new', 'Name', 'x'.repeat(201), 'Create package', /200/],
  ['/start', 'Name of your software', 'x'.repeat(201), 'Publish offer', /200/],
]
/** Chromium, which is the browser at full size, has a field in which nothing but a time can be typed. */
const typable = wrong.filter(([, , typed]) => !everything || typed !== 'tomorrow')

test.each(typable)('%s: %s', async (path, label, typed, button, message) => {
  const seat = path === '/start' ? await scene.newOwner() : owner
  const page = await scene.plain(seat, path)
  if (label !== 'Name' && /^\/(tokens\/new|settings)$/.test(path))
    await page.getByLabel('Name').first().fill('x')
  if (path === '/tokens/new') await pick(page, 'All that a member may')
  if (path === '/start') await pick(page, 'Free')
  await page.getByLabel(label).fill(typed)
  expect([400, 422]).toContain((await press(page, button)).status())
  await expectProblem(page, label, message, typed)
})

test.each([
  ['{"type":', /^This is not JSON: it ends too early, at line 1, column 9\.$/],
  ['{\n  "type": object}', /^This is not JSON: look at “o” in line 2, column 11\.$/],
  ['{"type":"array"}', /^type: must be /],
  ['{"properties":{"__proto__":{}}}', /__proto__/],
  ['{"properties":{"a":{"multipleOf":1e-400}}}', /^properties\.a\.multipleOf is a number that is too close/],
  ['{"type":"object","properties":{"a":{"type":"nothing"}}}', /./],
])('a schema that is none: %s', async (schema, message) => {
  const page = await scene.plain(owner, `/catalogue/packages/${made.package_id}/versions/new`)
  await page.getByLabel('Version').fill('2.0.0')
  await page.getByLabel('Order form (JSON Schema)').fill(schema)
  expect([400, 422]).toContain((await press(page, 'Publish version')).status())
  expect(await page.getByLabel('Version').inputValue()).toBe('2.0.0')
  await expectProblem(page, 'Order form (JSON Schema)', message, schema)
})

test('a value that the schema of the version does not allow', async () => {
  const schema = { properties: { company: { type: 'string', title: 'Company', minLength: 3 } } }
  const { product_id } = await newCatalogue(owner, schema)
  const page = await scene.plain(owner, `/offers/new?product_id=${product_id}`)
  await page.getByLabel('Company (optional)').fill('ab')
  await pick(page, 'Free')
  expect((await press(page, 'Publish offer')).status()).toBe(422)
  await expectProblem(page, 'Company (optional)', /^Must have 3 or more characters\.$/, 'ab')
})

test.each(['null', '[]', '"text"', '{'])('a preview of a schema that is none: %s', async schema => {
  const page = await scene.plain(owner, `/catalogue/packages/${made.package_id}/versions/new`)
  await page.getByLabel('Order form (JSON Schema)').fill(schema)
  expect((await press(page, 'Preview')).status()).toBe(422)
  await expectProblem(page, 'Order form (JSON Schema)', /./, schema)
})
