import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { schemaFields, typedText } from '../../../src/web/console/offers/new/schema-fields.ts'
import { fill } from '../../../src/web/kit/forms/field-spec.ts'
import { manualPolicy } from '../store/offer/offer-scene.ts'
import { heading, press } from '../page-scene.ts'
import { choose, main, newCatalogue, newChannel, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

test.each([
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
])(
  'a field of %j sends %s as a value of its type, and a copy has the same again',
  (property, typed, value) => {
    const [field] = schemaFields({ properties: { it: property } }) ?? []
    if (!field) throw new Error('There is no field.')
    const filled = (text: string) => fill(field, { 'value.0': text }).body
    expect(filled(typed)).toEqual({ field_values: { it: { value, locked: false } } })
    expect(filled(typedText(field[0], value) ?? '')).toEqual(filled(typed))
  },
)

test('a decimal that would lose its fraction is refused beside its field', () => {
  const [field] = schemaFields({ properties: { it: { type: 'number' } } }) ?? []
  const problems = field && fill(field, { 'value.0': '900719925474099.0123' }).problems
  expect(Object.values(problems ?? {})).toEqual([expect.stringContaining('would become an integer')])
})

test('a list of texts that lines cannot hold is not copied', () => {
  const [[field] = []] =
    schemaFields({ properties: { it: { type: 'array', items: { type: 'string' } } } }) ?? []
  for (const value of [[], [''], [' a'], ['a\nb']]) expect(field && typedText(field, value)).toBeUndefined()
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
  await choose(page, 'Billing mode', 'paid')
  await press(page, 'Publish offer')
  const id = /offer_\w+/.exec(page.url())?.[0] ?? ''
  const { field_values } = await owner.send('GET', `/offers/${id}`)
  expect(field_values).toMatchObject({
    size: { value: 20 },
    hosts: { value: ['a.example', 'b.example'] },
  })
  // Paid, and without a price: it is free, and the page says so.
  expect(await main(page)).toMatch(/Payment\s+Nothing to pay/)

  await page.goto(`${owner.root}/offers/new?from=${id}`)
  expect(await main(page)).toContain('These values weren’t copied: Admin password. Enter them again.')
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
  expect(await main(page)).toContain('This channel is inactive')
  const { id: bare } = await owner.send('POST', '/offer_channels', { product_id, name: 'Bare' })
  await page.goto(`${owner.root}/offers/new?offer_channel_id=${bare}`)
  expect(await main(page)).toContain('This channel has no active policy')
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
