// docs/specification.md, R24: field values are checked against the schema of the resolved version.
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Bench, shareBench } from '../in-process.ts'
import { rangePolicy } from '../catalogue.ts'
import { summaryOf } from '../http.ts'

type Values = { [property: string]: unknown }

const bench = forFile(shareBench)
let made: Awaited<ReturnType<Bench['catalogue']['twoVersions']>>
beforeAll(async () => {
  made = await bench.catalogue.twoVersions()
})

const fieldValues = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, locked: false }]))
const invalid = (...paths: string[]) => [422, ...paths.map(path => [42209, `field_values.${path}`])]

async function stored(body: object) {
  const answer = await bench.create({ body })
  expect(summaryOf(answer)).toEqual([201])
  const [row] = await bench.sql`select * from offers.offers where id = ${answer.body.id ?? ''}`
  return row
}

test.each<[string, Values]>([
  ['none, even if the schema requires two', {}],
  ['one, even if the schema requires two', { region: 'eu' }],
  ['all', { region: 'us', seats: 1, anything: 'x', address: { lines: ['a'] } }],
  ['null, where the schema allows it', { anything: null }],
  ['nested', { anything: { a: [{ b: null }, 1.5, true, 'x'] } }],
])('valid ones are stored as they were sent: %s', async (_, values) => {
  const field_values = fieldValues(values)
  expect(await stored({ product_id: made.product_id, field_values })).toMatchObject({ field_values })
})

test('locked is stored with each value', async () => {
  const field_values = { region: { value: 'eu', locked: true }, seats: { value: 2, locked: false } }
  expect(await stored({ product_id: made.product_id, field_values })).toMatchObject({ field_values })
})

const long = 'n'.repeat(300)

describe('invalid ones are refused with the path of the value, or of the entry if there is no such property', () => {
  test.each<[string, Values, string[]]>([
    ['of another type', { region: 1 }, ['region.value']],
    ['outside the list', { region: 'asia' }, ['region.value']],
    ['null, where the schema does not allow it', { region: null }, ['region.value']],
    ['below the minimum', { seats: 0 }, ['seats.value']],
    ['wrong at a deeper level', { address: { lines: ['a', 1] } }, ['address.value.lines.1']],
    ['of a property that does not exist', { colour: 'red' }, ['colour']],
    ['of a property that every object has', { toString: 'x' }, ['toString']],
    ['of a property without a name', { '': 'x' }, ['']],
    ['of a property with a long name', { [long]: 'x' }, [`${long.slice(0, 200)}…`]],
    [
      'several',
      { colour: 'red', region: 'asia', seats: 1.5, anything: 1 },
      ['colour', 'region.value', 'seats.value'],
    ],
  ])('%s', async (_, values, paths) => {
    const { product_id, second } = made
    const field_values = fieldValues(values)
    expect(summaryOf(await bench.create({ body: { product_id, field_values } }))).toEqual(invalid(...paths))
    expect(summaryOf(await bench.create({ body: { package_version_id: second, field_values } }))).toEqual(
      invalid(...paths),
    )
  })

  test('inside a property with a long name, which is truncated', async () => {
    const inner = { type: 'object', properties: { a: { type: 'string' } } }
    const version = await bench.catalogue.version(made.package_id, { properties: { [long]: inner } })
    const body = { package_version_id: version, field_values: fieldValues({ [long]: { a: 1 } }) }
    expect(summaryOf(await bench.create({ body }))).toEqual(invalid(`${long.slice(0, 200)}….value.a`))
  })

  test('with a sentence that names the field and says what it must be', async () => {
    const body = { product_id: made.product_id, field_values: fieldValues({ seats: 'x' }) }
    const answer = await bench.create({ body })
    expect(answer.body.errors?.[0]?.message).toBe('field_values.seats: must be integer.')
  })

  test('together with problems of price, mode and expiry', async () => {
    const { product_id } = made
    const offer_channel_id = await bench.catalogue.channel(product_id, rangePolicy)
    const body = {
      product_id,
      offer_channel_id,
      pricing_request: { currency: 'eur', interval: 'month', unit_amount: 1 },
      commercial_mode: 'non_billable_test',
      expires_at: 1,
      field_values: fieldValues({ region: 1 }),
    }
    expect(summaryOf(await bench.create({ body }))).toEqual([
      422,
      [42207, 'pricing_request.unit_amount'],
      [42208, 'commercial_mode'],
      [42206, 'expires_at'],
      [42209, 'field_values.region.value'],
    ])
  })
})

test("they are validated against the version that is sent, not the product's", async () => {
  const { package_id, product_id, first } = made
  const other = await bench.catalogue.version(package_id, { properties: { colour: { const: 'red' } } })
  const field_values = fieldValues({ colour: 'red' })
  expect(await stored({ product_id, package_version_id: other, field_values })).toMatchObject({
    package_version_id: other,
  })
  expect(
    summaryOf(await bench.create({ body: { product_id, package_version_id: first, field_values } })),
  ).toEqual(invalid('colour'))
})
