import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { schemaFields, typedValues } from '../../../src/web/console/offers/new/schema-fields.ts'
import { type FieldValues, fill } from '../../../src/web/kit/forms/field-spec.ts'
import { manualPolicy } from '../store/offer/offer-scene.ts'
import { heading, press } from '../page-scene.ts'
import { choose, main, newCatalogue, newChannel, pick, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

function fieldOf(property: object) {
  const [field] = schemaFields({ properties: { it: property } }) ?? []
  if (!field) throw new Error('There is no field.')
  return field
}

const network = {
  type: 'object',
  properties: {
    host: { type: 'string' },
    port: { type: 'integer' },
    days: { type: 'array', items: { enum: ['Mon', 'Sun'] } },
  },
}

test.each<[object, string | FieldValues, unknown]>([
  [{ type: 'array', items: { type: 'string' } }, 'a, b\r\nc; d', ['a, b', 'c; d']],
  [{ type: 'array', items: { type: 'integer' } }, '[1,2]', [1, 2]],
  [{ enum: [1, 2.5, 10] }, '2.5', 2.5],
  [{ enum: [1, '1', true, null, ''] }, '"1"', '1'],
  [{ enum: [1, '1', true, null, ''] }, '1', 1],
  [{ enum: [1, '1', true, null, ''] }, 'null', null],
  [{ enum: ['eu', 'us'] }, 'eu', 'eu'],
  [{ enum: [{ a: 1 }] }, '{"a":1}', { a: 1 }],
  [{ type: 'integer', minimum: 1, maximum: 9 }, '5', 5],
  [{ type: 'boolean' }, 'false', false],
  [{ type: 'array', items: { enum: ['Mon', 'Sun'] } }, { 'value.0.Sun': 'on' }, ['Sun']],
  [network, { 'value.0.host': 'a.example', 'value.0.port': '443' }, { host: 'a.example', port: 443 }],
  [network, { 'value.0.days.Mon': 'on' }, { days: ['Mon'] }],
  [
    { type: 'object', properties: { host: { type: 'string' }, network } },
    { 'value.0.network.host': 'b.example', 'value.0.host': 'a' },
    { host: 'a', network: { host: 'b.example' } },
  ],
  [{ ...network, minProperties: 1 }, '{"host":"a.example"}', { host: 'a.example' }],
])(
  'a field of %j sends %s as a value of its type, and a copy has the same again',
  (property, typed, value) => {
    const field = fieldOf(property)
    const filled = (values: FieldValues) => fill([...field.parts, field.lock], values).body
    const sent = filled(typeof typed === 'string' ? { 'value.0': typed } : typed)
    expect(sent).toEqual({ field_values: { it: { value, locked: false } } })
    expect(filled(typedValues(field, value) ?? {})).toEqual(sent)
  },
)

test('a decimal that would lose its fraction is refused beside its field', () => {
  const { problems } = fill(fieldOf({ type: 'number' }).parts, { 'value.0': '900719925474099.0123' })
  expect(Object.values(problems)).toEqual([expect.stringContaining('would become an integer')])
})

test.each([
  [{ type: 'array', items: { type: 'string' } }, [[], [''], [' a'], ['a\nb']]],
  [{ type: 'array', items: { enum: ['Mon', 'Sun'] } }, [[], ['Sun', 'Mon'], ['Tue'], 'Mon']],
  [network, [{}, { host: 'a', other: 1 }, { days: ['Sun', 'Mon'] }, 'a']],
])('a value that the inputs of %j cannot send is not copied', (property, values) => {
  for (const value of values) expect(typedValues(fieldOf(property), value)).toBeUndefined()
})

test('a value that is chosen of numbers, and lines, are in the offer as numbers and texts', async () => {
  const owner = await scene.newOwner()
  const properties = {
    size: { type: 'integer', enum: [10, 20] },
    hosts: { type: 'array', items: { type: 'string' } },
    admin_password: { type: 'string', format: 'password' },
    ratio: { type: 'number', minimum: 0, maximum: 1 },
  }
  const { product_id } = await newCatalogue(owner, { properties })
  const page = await scene.plain(owner, `/offers/new?product_id=${product_id}`)
  await choose(page, 'Size (optional)', '20')
  await page.getByLabel('Hosts (optional)').fill('a.example\nb.example')
  await page.getByLabel('Admin password (optional)').fill('hunter2-hunter2')
  expect(await main(page)).toContain('Between 0 and 1.')
  await pick(page, 'Free')
  await press(page, 'Publish offer')
  const id = /offer_\w+/.exec(page.url())?.[0] ?? ''
  const { field_values } = await owner.send('GET', `/offers/${id}`)
  expect(field_values).toMatchObject({
    size: { value: 20 },
    hosts: { value: ['a.example', 'b.example'] },
  })
  expect(await main(page)).toMatch(/Payment\s+Nothing to pay/)

  await page.goto(`${owner.root}/offers/new?from=${id}`)
  expect(await main(page)).toContain('These values weren’t copied: Admin password. Enter them again.')
})

test('an object has an input for each property, and a list of options a box for each', async () => {
  const owner = await scene.newOwner()
  const properties = { network: { ...network, title: 'Network' } }
  const { product_id } = await newCatalogue(owner, { properties })
  const page = await scene.plain(owner, `/offers/new?product_id=${product_id}`)
  await page.getByLabel('Host').fill('a.example')
  for (const label of ['Sun', 'Lock: Network', 'Free']) await pick(page, label)
  await press(page, 'Publish offer')
  const id = /offer_\w+/.exec(page.url())?.[0] ?? ''
  expect((await owner.send('GET', `/offers/${id}`)).field_values).toEqual({
    network: { value: { host: 'a.example', days: ['Sun'] }, locked: true },
  })
  await page.goto(`${owner.root}/offers/new?from=${id}`)
  expect(await page.getByLabel('Host').inputValue()).toBe('a.example')
  for (const label of ['Sun', 'Lock: Network'])
    expect(await page.getByLabel(label).getAttribute('checked')).not.toBeNull()
})

test.each(['GRÖSSE', 'gro\u0308\u00dfe', 'Ｇｒöße'])(
  'a product is found by its name, written %s',
  async wanted => {
    const owner = await scene.newOwner()
    await newCatalogue(owner, {}, 'Größe XL')
    await newCatalogue(owner)
    const page = await scene.plain(owner, `/offers/new?q=${encodeURIComponent(wanted)}`)
    expect(await main(page)).toContain('Größe XL')
    expect(await main(page)).not.toContain('Fast Queues')
  },
)

test('a channel alone is enough, and one that takes no offers says so above the form', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  const channel = await newChannel(owner, product_id, manualPolicy, 'Web')
  const page = await scene.plain(owner, `/offers/new?offer_channel_id=${channel}`)
  expect(await heading(page)).toBe('New offer for Fast Queues')
  expect(await main(page)).not.toContain('can’t create offers')
  await press(page, 'Publish offer')
  expect(await heading(page)).toBe('Fast Queues')

  await owner.send('PATCH', `/offer_channels/${channel}`, { status: 'inactive' })
  await page.goto(`${owner.root}/offers/new?offer_channel_id=${channel}`)
  expect(await main(page)).toContain('These terms are inactive')
  const { id: bare } = await owner.send('POST', '/offer_channels', { product_id, name: 'Bare' })
  await page.goto(`${owner.root}/offers/new?offer_channel_id=${bare}`)
  expect(await main(page)).toContain('These terms say nothing yet')
})

test('an offer of a version is called by its package and version', async () => {
  const owner = await scene.newOwner()
  const { version_id } = await newCatalogue(owner)
  const { id } = await owner.send('POST', '/offers', { package_version_id: version_id })
  const page = await scene.plain(owner, `/offers/${id}`)
  expect(await heading(page)).toBe('Fast Queues 1.0.0')
})

test('where everything is done, a colleague is invited by those who may alone', async () => {
  const owner = await scene.newOwner()
  const { product_id } = await newCatalogue(owner)
  await owner.send('POST', '/offers', { product_id })
  const member = await scene.newColleague(owner, 'member')
  const links = async (seat: typeof owner) =>
    (await scene.plain(seat, '/start')).locator('main a').allInnerTexts()
  expect(await links(owner)).toEqual(['View offer and link', 'Create another offer', 'Invite a teammate'])
  expect(await links(member)).toEqual(['View offer and link', 'Create another offer'])
})
