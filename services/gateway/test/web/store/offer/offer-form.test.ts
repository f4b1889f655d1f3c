import { everything } from '@svc/testing/size'
// The form that is generated from a seller's schema: usual ones, those that no library can draw, and hostile ones. Those that
// are expensive to draw are in expensive-forms.all.test.ts.
import type { Page } from 'playwright-core'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Customer, ordered, setOfferScene, type Visited } from './offer-scene.ts'
import { conditions, everyField, undrawable } from './schema-zoo.ts'
import { readableName } from '../../../../src/web/kit/offers/readable-name.ts'
import { Jar } from '../../cookie-jar.ts'
import { orderButton } from '../../page-scene.ts'

const scene = forFile(setOfferScene)
let customer: Customer
beforeAll(async () => {
  customer = await scene.newCustomer()
})

async function open(schema: object, offer: object = {}): Promise<Visited & { hash: string }> {
  const { path, hash } = await scene.newOffer({ schema, offer })
  return { ...(await scene.visit(path, customer)), hash }
}

const order = (page: Page) => page.getByRole('button', { name: orderButton }).click()
const summary = async (page: Page) => (await page.getByRole('alert').innerText()).split('\n').slice(1)

/** Sends the form without its script. */
async function sendByHand(path: string, form: Record<string, string>) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(customer))
  const { csrf, text } = await jar.ask(scene.urls[0] + path)
  const workspace = customer.workspaces[0] ?? ''
  const { status } = await jar.ask(scene.urls[0] + path, { form: { _csrf: csrf, workspace, ...form } })
  return { status, before: text }
}

interface Odd {
  $defs: object
  properties: { odd: object }
}

const stored = async (hash: string) => (await scene.orders(hash))[0]?.field_values

test('has a field for everything, in the seller’s order, and sends what was entered', async () => {
  const { page, hash, complaints } = await open(everyField, {
    field_values: {
      region: { value: 'eu-north', locked: true },
      size: { value: 5, locked: false },
      users: { value: [{ login: 'ada', admin: true }, { login: 'bob' }], locked: false },
    },
  })
  await page.getByLabel('Name of the instance').fill('my-queue')
  expect(await page.getByLabel('Machines').inputValue()).toBe('5')
  expect(await page.getByLabel('Port').inputValue()).toBe('443')
  expect(await page.getByLabel('Region').count()).toBe(0)
  const labels = await page.locator('#fields').locator('label, legend').allInnerTexts()
  expect(labels.slice(0, 3)).toEqual(['Name of the instance', 'Machines', 'Share of memory (optional)'])
  await page.getByLabel('Share of memory').fill('1e-30')
  await page.getByLabel('Daily backups').check()
  await page.getByLabel('Contact').fill('ada@people.example')
  await page.getByLabel('First day').fill('2027-01-31')
  const tags = page.getByRole('group', { name: 'Tags' })
  for (const tag of ['one', 'another', 'two']) {
    await tags.getByRole('button', { name: 'Add' }).click()
    await tags.getByRole('textbox').last().fill(tag)
  }
  await tags.getByRole('button', { name: 'Remove' }).nth(1).click()
  const users = page.getByRole('group', { name: 'Users' })
  await users.getByRole('button', { name: 'Move down' }).first().click()
  await page.getByLabel('Sunday').check()
  await page.getByLabel('Payment').selectOption('By invoice')
  await page.getByLabel('Order number').fill('PO-1')
  await order(page)
  await ordered(page)
  expect(await stored(hash)).toEqual({
    name: 'my-queue',
    region: 'eu-north',
    size: 5,
    ratio: 1e-30,
    backups: true,
    contact: 'ada@people.example',
    since: '2027-01-31',
    edition: 'standard',
    users: [{ login: 'bob' }, { login: 'ada', admin: true }],
    tags: ['one', 'two'],
    days: ['Sunday'],
    payment: { kind: 'invoice', reference: 'PO-1' },
  })
  expect(complaints).toEqual([])
})

test('passwords of the seller are not in the page, and stay where the customer leaves them empty', async () => {
  const schema = {
    properties: {
      license: { type: 'string', format: 'password', title: 'Licence' },
      login: { type: 'string', format: 'password', title: 'Login', minLength: 8 },
      backup: { type: 'string', format: 'password', title: 'Backup key' },
      name: { type: 'string', title: 'Name' },
    },
    required: ['license', 'login', 'backup'],
  }
  const { page, hash } = await open(schema, {
    field_values: {
      license: { value: 'locked-secret', locked: true },
      login: { value: 'login-secret', locked: false },
      backup: { value: 'backup-secret', locked: false },
    },
  })
  expect(await page.content()).not.toMatch(/locked-secret|login-secret|backup-secret/)
  await page.getByText('The seller has already provided Login, Backup key.').waitFor()
  await page.getByLabel('Login').fill('short')
  await order(page)
  expect(await summary(page)).toEqual(['Login: must have 8 or more characters'])
  await page.getByLabel('Login').fill('my-own-login')
  await order(page)
  await ordered(page)
  expect(await page.content()).not.toMatch(/locked-secret|my-own-login|backup-secret/)
  const hidden = { $sealed: expect.stringMatching(/^v1\./) }
  expect(await stored(hash)).toEqual({ license: hidden, login: hidden, backup: hidden })
})

test('reports errors at the top, with the focus, and beside each field, and keeps what was typed, also a number that would be stored as another one', async () => {
  const { page, hash } = await open(everyField)
  await page.getByLabel('Name of the instance').fill('No!')
  await page.getByLabel('Machines').fill('11')
  await page.getByLabel('Contact').fill('nobody')
  await page.getByLabel('Share of memory').fill('1e-400')
  await page.getByLabel('Port').fill('9007199254740993')
  await order(page)
  expect(await summary(page)).toEqual([
    'Name of the instance: Small letters, digits and hyphens',
    'Region: choose an option',
    'Machines: must be 10 or less',
    'Share of memory: is a number that is too close to zero',
    'Contact: enter an email address, such as name@example.com',
    'Network › Host: fill in this field',
    'Network › Port: is an integer beyond 2^53 - 1, which would lose digits: send it as a string',
    'Payment › Card holder: fill in this field',
  ])
  expect(await page.evaluate('document.activeElement.className')).toBe('summary')
  expect(await page.title()).toBe('Error: Fast Queues – svc')
  const contact = page.getByLabel('Contact')
  expect(await contact.getAttribute('aria-invalid')).toBe('true')
  const described = await contact.getAttribute('aria-describedby')
  expect(await page.locator(`#${described}`).innerText()).toBe(
    'Enter an email address, such as name@example.com',
  )
  await page.getByRole('link', { name: 'Network › Host: fill in this field' }).click()
  expect(await page.evaluate('document.activeElement.id')).toBe('values_network_host')
  expect(await contact.inputValue()).toBe('nobody')
  expect(await page.getByLabel('Share of memory').inputValue()).toBe('1e-400')
  expect(await page.getByLabel('Port').inputValue()).toBe('9007199254740993')
  expect(await scene.orders(hash)).toEqual([])
})

test('comes back with what the service refuses, at the field and at the top, and keeps what was typed', async () => {
  const properties = {
    site: { type: 'string', title: 'Web site', format: 'uri' },
    seats: { type: 'integer', title: 'Seats' },
  }
  const { page, hash, complaints } = await open({ properties })
  await page.getByLabel('Web site').fill('not a site')
  await page.getByLabel('Seats').fill('4')
  await order(page)
  await page.getByRole('alert').waitFor()
  expect(await summary(page)).toEqual(['Web site: enter a whole address, such as https://example.com'])
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('summary')
  expect(
    await page.getByText('Enter a whole address, such as https://example.com', { exact: true }).count(),
  ).toBe(1)
  expect(await page.getByLabel('Web site').inputValue()).toBe('not a site')
  expect(await page.getByLabel('Seats').inputValue()).toBe('4')
  await page
    .getByRole('link', { name: 'Web site: enter a whole address, such as https://example.com' })
    .click()
  expect(await page.evaluate('document.activeElement.id')).toBe('values_site')
  // This order holds the seat meanwhile, so the page also shows the form when it is reloaded.
  await page.goto(page.url())
  await page.getByLabel('Web site').fill('https://a.example/')
  await page.getByLabel('Seats').fill('4')
  await order(page)
  await ordered(page)
  expect(await stored(hash)).toEqual({ site: 'https://a.example/', seats: 4 })
  expect(await scene.orders(hash)).toHaveLength(1)
  // The browser reports the answer 422 of the page itself.
  expect(complaints.filter(text => !text.includes('status of 422'))).toEqual([])
})

test('a field without a title has its key as a label, its description below and no choice made, and no format hides a field', async () => {
  const formats = ['hidden', 'file', 'data-url', 'alt-datetime', 'color', 'radio', 'constructor']
  const properties = {
    companyName: { type: 'string', description: 'As on the contract.' },
    data_region: { type: 'string', enum: ['eu', 'us'] },
    billing: { type: 'object', properties: { vat_id: { type: 'string' } }, required: ['vat_id'] },
    accept_terms: { type: 'boolean', const: true },
    ...Object.fromEntries(
      formats.map(format => [
        `f-${format}`,
        { type: 'string', title: `As ${format}`, format, readOnly: true },
      ]),
    ),
  }
  const { page, hash } = await open({ properties, required: ['data_region', 'billing'] })
  const labels = await page.locator('#fields').locator('label, legend').allInnerTexts()
  expect(labels.slice(0, 5)).toEqual([
    'Company name (optional)',
    'Data region',
    'Billing',
    'VAT ID',
    'Accept terms',
  ])
  // Besides the company and the VAT ID.
  expect(await page.locator('#fields input[type=text]').count()).toBe(2 + formats.length)
  await page.getByLabel('As hidden').fill('seen')
  const company = page.getByLabel('Company name')
  const below = company.locator('xpath=following-sibling::p')
  expect(await below.innerText()).toBe('As on the contract.')
  expect(await company.getAttribute('aria-describedby')).toBe(await below.getAttribute('id'))
  const region = page.getByLabel('Data region')
  expect(await region.locator('option:checked').innerText()).toBe('Choose one')
  await order(page)
  expect(await summary(page)).toEqual([
    'Data region: choose an option',
    'Billing › VAT ID: fill in this field',
  ])
  await region.selectOption('eu')
  await page.getByLabel('VAT ID').fill('X1')
  await order(page)
  await ordered(page)
  expect(await stored(hash)).toEqual({ data_region: 'eu', billing: { vat_id: 'X1' }, 'f-hidden': 'seen' })
  expect(await page.locator('main').innerText()).toContain('Data region')
})

test('asks for what depends on other answers, and does not send what has gone with its condition', async () => {
  const days = { type: 'array', title: 'Days', uniqueItems: true, items: { enum: ['Mon', 'Sun'] } }
  const opened = {
    if: { required: ['days'], properties: { days: { contains: { const: 'Sun' } } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { door: { type: 'string', title: 'Door' } } },
  }
  const properties = { ...conditions.properties, days }
  const { page, hash } = await open({ ...conditions, properties, allOf: [opened] })
  await page.getByLabel('Plan').selectOption('team')
  await page.getByLabel('VAT number').fill('X1')
  await page.getByLabel('Mon').check()
  await page.getByLabel('Sun').check()
  await page.getByLabel('Door').fill('At the back')
  await order(page)
  expect(await summary(page)).toEqual([
    'Seats: enter a whole number, such as 12',
    'Address: fill in this field',
  ])
  await page.getByLabel('Plan').selectOption('free')
  await page.getByLabel('Address').fill('Here')
  await page.getByLabel('Sun').uncheck()
  await page.getByLabel('Door').waitFor({ state: 'detached' })
  await order(page)
  await ordered(page)
  expect(await stored(hash)).toEqual({ plan: 'free', vat: 'X1', address: 'Here', days: ['Mon'] })
})

test('ignores a value for a locked one, whatever is sent', async () => {
  const properties = { plan: { type: 'string', title: 'Plan' }, note: { type: 'string', title: 'Note' } }
  const { path, hash } = await scene.newOffer({
    schema: { properties },
    offer: { field_values: { plan: { value: 'small', locked: true } } },
  })
  const form = { field_values: '{"plan":"huge","note":"hello"}' }
  const { status, before } = await sendByHand(path, form)
  expect(before).toMatch(/Set by the seller.*You can’t change these values\..*Plan.*small/s)
  expect(status).toBe(303)
  expect(await stored(hash)).toEqual({ plan: 'small', note: 'hello' })
})

/** For `npm test`: all in one schema, each under its own name. */
const mixed = {
  schema: {
    type: 'object',
    $defs: Object.assign({}, ...Object.values(undrawable).map(({ schema }) => (schema as Odd).$defs)),
    properties: {
      ...Object.fromEntries(
        Object.entries(undrawable).map(([name, { schema }]) => [name, (schema as Odd).properties.odd]),
      ),
      plain: { type: 'string', title: 'Plain' },
    },
  },
  json: Object.fromEntries(Object.entries(undrawable).map(([name, { json = '' }]) => [name, json])),
}
const lost = ['1e-400', 'is a number that is too close to zero'] as const
const notJson = ['{', 'is not valid JSON'] as const
const undrawn: [string, { schema: object; json: Record<string, string> }][] = everything
  ? Object.entries(undrawable).map(([name, { schema, json = '' }]) => [name, { schema, json: { odd: json } }])
  : [[Object.keys(undrawable).join(', '), mixed]]

test.each(undrawn)(
  '%s is entered as JSON, and everything else has fields',
  async (_name, { schema, json }) => {
    const { page, hash, complaints } = await open(schema)
    await page.getByLabel('Plain').fill('text')
    // The label of an optional field says so.
    const text = (name: string) => page.getByLabel(new RegExp(`^${readableName(name)}( \\(|$)`))
    const wrong = Object.keys(json).map((name, at) => [name, ...(at % 2 ? notJson : lost)] as const)
    for (const [name, typed] of wrong) await text(name).fill(typed)
    await order(page)
    expect(await summary(page)).toEqual(wrong.map(([name, , message]) => `${readableName(name)}: ${message}`))
    for (const [name, value] of Object.entries(json)) await text(name).fill(value)
    await order(page)
    await ordered(page)
    const values = Object.entries(json).map(([name, value]) => [name, JSON.parse(value)])
    expect(await stored(hash)).toEqual({ ...Object.fromEntries(values), plain: 'text' })
    expect(complaints).toEqual([])
  },
)

describe('what sellers write is text', () => {
  const markup = '</script><script>alert(1)</script><img src=x onerror=alert(2)>[a](javascript:alert(3))'

  test('in names, notes, titles, descriptions, options and values', async () => {
    const text = { type: 'string', title: `${markup} title`, description: `${markup} *description*` }
    const properties = {
      text: { ...text, default: markup },
      list: { type: 'array', title: markup, items: { type: 'string', title: markup } },
      choice: { type: 'string', title: markup, enum: [markup, `${markup}2`] },
      group: { type: 'object', title: markup, properties: { [markup]: { type: 'boolean' } } },
      one: {
        title: markup,
        oneOf: [
          { ...text, title: markup },
          { type: 'integer', title: `${markup}i` },
        ],
      },
      recursive: { $ref: '#/properties/recursive', title: markup, description: markup },
      locked: { type: 'string', title: markup },
      [markup]: { type: 'string' },
    }
    delete (properties as Record<string, unknown>).recursive
    const { path } = await scene.newOffer({
      name: markup,
      schema: { properties, required: ['list'] },
      offer: {
        notes: markup,
        field_values: { locked: { value: markup, locked: true }, list: { value: [markup], locked: false } },
      },
    })
    const { page, complaints } = await scene.visit(path)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(markup)
    await scene.admit(page.context(), customer)
    await page.reload()
    await page.locator('#values_text').waitFor()
    expect(await page.locator('main').innerText()).toContain(`${markup} *description*`)
    expect(await page.locator('#values_text').inputValue()).toBe(markup)
    expect(await page.locator('main :is(img, em, iframe), main a[href^="javascript"]').count()).toBe(0)
    // Times, form, and the form's data.
    expect(await page.locator('script').count()).toBe(3)
    await order(page)
    await ordered(page)
    expect(await page.locator('main :is(img, script)').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a pattern that takes for ever is not run in the gateway', async () => {
    const properties = { code: { type: 'string', title: 'Code', pattern: '^(a+)+$' } }
    const { path } = await scene.newOffer({ schema: { properties } })
    const form = { field_values: JSON.stringify({ code: `${'a'.repeat(60)}!` }) }
    expect([303, 422]).toContain((await sendByHand(path, form)).status)
  })
})
