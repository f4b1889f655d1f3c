// Submitted values: the seller's locked values win, and the result satisfies the input schema of the offer's version.
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { newCustomer, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)

type Entries = Record<string, { value: unknown; locked: boolean }>

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', enum: ['eu', 'us'] },
    seats: { type: 'integer', minimum: 1 },
    plan: { type: 'string' },
    discount: { type: 'integer' },
    address: {
      type: 'object',
      properties: { lines: { type: 'array', items: { type: 'string' } } },
      required: ['lines'],
    },
    anything: true,
  },
  required: ['region', 'seats'],
  dependentRequired: { discount: ['plan'] },
  if: { properties: { plan: { const: 'large' } }, required: ['plan'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['address'], properties: { seats: { minimum: 10 } } },
  maxProperties: 5,
}

async function submit(field_values: Record<string, unknown>, offered: Entries = {}, given: object = schema) {
  const offer = await running.newOffer({ schema: given, field_values: offered })
  const customer = newCustomer()
  const { body } = await running.order(offer.short_hash, customer)
  const answer = await running.submit(body.id, customer, { field_values })
  return { answer, offer, customer, id: body.id }
}

const locked = (value: unknown) => ({ value, locked: true })
const filled = (value: unknown) => ({ value, locked: false })

describe('valid', () => {
  test.each<[string, Record<string, unknown>, Entries, Record<string, unknown>]>([
    ['as sent', { region: 'eu', seats: 2 }, {}, { region: 'eu', seats: 2 }],
    ['a locked value wins', { region: 'us', seats: 2 }, { region: locked('eu') }, { region: 'eu', seats: 2 }],
    [
      'a locked value wins over an invalid one',
      { region: 7, seats: 2 },
      { region: locked('eu') },
      { region: 'eu', seats: 2 },
    ],
    ['a locked value is there unasked', { seats: 2 }, { region: locked('eu') }, { region: 'eu', seats: 2 }],
    ['a pre-filled value is used', { seats: 2 }, { region: filled('eu') }, { region: 'eu', seats: 2 }],
    ['and gives way', { region: 'us', seats: 2 }, { region: filled('eu') }, { region: 'us', seats: 2 }],
    [
      'a filled value can be changed to null',
      { region: 'us', seats: 2, anything: null },
      { anything: filled(1) },
      { region: 'us', seats: 2, anything: null },
    ],
    ['all from the seller', {}, { region: locked('eu'), seats: filled(3) }, { region: 'eu', seats: 3 }],
  ])('%s', async (_, sent, offered, stored) => {
    const { answer } = await submit(sent, offered)
    expect(answer).toMatchObject({ status: 200, body: { state: 'completed' } })
    expect(answer.body.field_values).toEqual(stored)
  })

  test('without a body, if nothing is required', async () => {
    const { answer } = await submit({}, {}, { properties: {} })
    expect(answer).toMatchObject({ status: 200, body: { field_values: {} } })
  })
})

describe('invalid values are refused, each problem with its path, and the order stays open', () => {
  const fine = { region: 'eu', seats: 2 }
  test.each<[string, Record<string, unknown>, Entries, string[]]>([
    ['required values are missing', {}, {}, ['region', 'seats']],
    ['one is missing, another wrong', { seats: 0 }, {}, ['region', 'seats']],
    ['of another type', { ...fine, plan: 1 }, {}, ['plan']],
    ['wrong at a deeper level', { ...fine, address: { lines: ['a', 1] } }, {}, ['address.lines.1']],
    ['unknown', { ...fine, colour: 'red' }, {}, ['colour']],
    [
      'unknown, and wrong',
      { region: 'mars', seats: 2, colour: 'red', toString: 1 },
      {},
      ['colour', 'toString', 'region'],
    ],
    ['dependent on another', { ...fine, discount: 5 }, {}, ['plan']],
    ['required by a condition', { ...fine, plan: 'large', seats: 10 }, {}, ['address']],
    ['too little for a condition', { ...fine, plan: 'large', address: { lines: [] } }, {}, ['seats']],
    ['a locked value calls for another', { ...fine }, { plan: locked('large') }, ['address']],
    ['too many', { ...fine, plan: 's', discount: 1, anything: 1, address: { lines: [] } }, {}, ['']],
  ])('%s', async (_, sent, offered, paths) => {
    const { answer, customer, id, offer } = await submit(sent, offered)
    expect(answer.status).toBe(422)
    expect(answer.body.errors?.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual(
      paths.map(path => `42209 field_values${path && `.${path}`}`),
    )
    expect(await running.getOrder(id, customer)).toMatchObject({
      body: { state: 'open', field_values: null },
    })
    expect(await running.seats(offer.id)).toMatchObject({ held: 1, redeemed: 0 })
  })

  test('with a sentence that names the missing value', async () => {
    const { answer } = await submit({ seats: 1 })
    expect(answer.body.errors?.[0]?.message).toBe('field_values.region: is required.')
  })

  test('an order that is not open, or not theirs, is refused for that and not for its values', async () => {
    const { customer, id } = await submit({}, {})
    expect(await running.submit(id, { ...newCustomer(), workspace: customer.workspace })).toMatchObject({
      status: 403,
    })
    await running.cancel(id, customer)
    expect(await running.submit(id, customer)).toMatchObject({
      status: 409,
      body: { errors: [{ code: 40910, metadata: { state: 'cancelled' } }] },
    })
  })

  test('by keywords of the root that apply to all properties', async () => {
    const properties = { a: { type: 'integer' }, b: { type: 'integer' } }
    const rules: [object, Record<string, unknown>, string][] = [
      [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, ''],
      [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1, b: 1 }, ''],
      [{ not: { required: ['a', 'b'] } }, { a: 1, b: 1 }, ''],
      [{ minProperties: 1 }, {}, ''],
      [{ propertyNames: { maxLength: 0 } }, { a: 1 }, ''],
      [{ $ref: '#/$defs/more', $defs: { more: { required: ['b'] } } }, { a: 1 }, '.b'],
      [{ allOf: [{ required: ['b'] }] }, { a: 1 }, '.b'],
      [{ unevaluatedProperties: false, allOf: [{ properties: { a: { maximum: 0 } } }] }, { a: 1 }, '.a'],
      [{ dependentSchemas: { a: { properties: { b: { minimum: 5 } } } } }, { a: 1, b: 1 }, '.b'],
    ]
    for (const [rule, sent, path] of rules) {
      const { answer } = await submit(sent, {}, { properties, ...rule })
      expect([answer.status, answer.body.errors?.[0]?.path?.join('.')]).toEqual([422, `field_values${path}`])
    }
  })
})

test("the schema is that of the offer's version, not of the product's current one", async () => {
  const { short_hash, product_id, package_id } = await running.newOffer({ schema })
  await running.catalogue.pin(product_id, await running.catalogue.version(package_id, { properties: {} }))
  const customer = newCustomer()
  const { body } = await running.order(short_hash, customer)
  expect((await running.submit(body.id, customer, { field_values: {} })).status).toBe(422)
})

test('values as large as a request may be: an order returns them, and no list does', async () => {
  const offer = await running.newOffer({ schema: { properties: { anything: true } } })
  const customer = newCustomer()
  const { body } = await running.order(offer.short_hash, customer)
  const anything = 'x'.repeat(250_000)
  await running.submit(body.id, customer, { field_values: { anything } })
  expect((await running.getOrder(body.id)).body.field_values).toEqual({ anything })
  const listed = await running.ask('list_orders', customer)
  expect(listed.body.data).toHaveLength(1)
  expect(listed.body.data[0]).not.toHaveProperty('field_values')
})
