import { describe, expect, test } from 'vitest'
import { problemsOfValues, withProperty } from './published-schema.ts'

describe('a problem says what the value must be', () => {
  test.each<[object, unknown, string]>([
    [{ type: 'string' }, 1, 'must be string'],
    [{ type: ['string', 'null'] }, 1, 'must be string or null'],
    [{ enum: ['a', 'b'] }, 'c', 'must be one of: a, b'],
    [{ enum: ['a', 1, null, ''] }, 'c', 'must be one of: a, 1, null, ""'],
    [
      { enum: Array.from({ length: 13 }, (_, i) => i) },
      'c',
      'must be one of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 3 more',
    ],
    [{ const: { a: 1 } }, 'c', 'must be: {"a":1}'],
    [{ minimum: 3 }, 2, 'must be >= 3'],
    [{ exclusiveMaximum: 3 }, 3, 'must be < 3'],
    [{ multipleOf: 5 }, 3, 'must be a multiple of 5'],
    [{ maxLength: 2 }, 'abc', 'must have 2 or fewer characters'],
    [{ minItems: 2 }, [], 'must have 2 or more items'],
    [{ maxProperties: 0 }, { a: 1 }, 'must have 0 or fewer properties'],
    [{ prefixItems: [true], items: false }, [1, 2], 'must have 1 or fewer items'],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], 'must have 1 or fewer items'],
    [{ uniqueItems: true }, [1, 1], 'must not contain duplicate items'],
    [{ contains: { const: 1 } }, [2], 'must contain at least 1 matching items'],
    [{ contains: { const: 1 }, maxContains: 2, minContains: 1 }, [2], 'must contain 1 to 2 matching items'],
    [{ pattern: '^a$' }, 'b', 'must match the pattern ^a$'],
    [{ format: 'email' }, 'b', 'must be a valid email'],
    [{ required: ['q'] }, {}, 'must have the property q'],
    [{ dependentRequired: { a: ['q'] } }, { a: 1 }, 'must have the property q'],
    [{ additionalProperties: false }, { q: 1 }, 'must not have the property q'],
    [{ unevaluatedProperties: false }, { q: 1 }, 'must not have the property q'],
    [
      { propertyNames: { maxLength: 1 } },
      { qq: 1 },
      'must not have the name qq: a name must have 1 or fewer characters',
    ],
    [{ not: {} }, 1, 'must not be a value that the schema excludes'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be string, or must be null'],
    [{ oneOf: [{ type: 'string' }, { minimum: 2 }] }, 1, 'must be string, or must be >= 2'],
    [
      { oneOf: [{ type: 'number' }, { minimum: 1 }] },
      1,
      'must match exactly one of the alternatives, and matches several',
    ],
    [{ anyOf: [{ items: { type: 'string' } }] }, [1], 'must match one of the alternatives of its schema'],
    [{ if: { type: 'string' }, else: { type: 'null' } }, 1, 'must be null'],
  ])('%j %j', (schema, value, message) => {
    expect(problemsOfValues(withProperty(schema), { a: value })).toEqual([{ path: ['a'], message }])
  })

  test('the problem has the path', () => {
    const schema = withProperty({ items: { properties: { 'x/y~z': { type: 'string' } } } })
    expect(problemsOfValues(schema, { a: [{}, { 'x/y~z': 1 }] })).toEqual([
      { path: ['a', '1', 'x/y~z'], message: 'must be string' },
    ])
  })

  test('also for a boolean schema', () => {
    expect(problemsOfValues({ properties: { yes: true, no: false } }, { yes: 1, no: 1 })).toEqual([
      { path: ['no'], message: 'may not have a value' },
    ])
  })
})

test('keywords of the root such as required do not apply to field values', () => {
  const root = { required: ['b'], minProperties: 5, not: {}, additionalProperties: false, allOf: [false] }
  expect(problemsOfValues(withProperty({ type: 'string' }, root), { a: 'x' })).toEqual([])
})

const hostileName = ['a/b~c%d"e\n`$', '{f}'].join('')

describe('references are followed wherever they point', () => {
  const $defs = {
    port: { type: 'integer', maximum: 9 },
    [hostileName]: { type: 'integer', maximum: 9 },
    outer: { $defs: { inner: { type: 'integer', maximum: 9 } } },
    anchored: { $anchor: 'port', type: 'integer', maximum: 9 },
    dynamic: { $dynamicAnchor: 'dyn', type: 'integer', maximum: 9 },
    list: { type: 'array', items: { type: 'integer', maximum: 9 } },
    '': { type: 'integer', maximum: 9 },
  }
  test.each([
    { $ref: '#/$defs/port' },
    { $ref: '#/%24defs/port' },
    { $ref: `#/$defs/${encodeURIComponent(hostileName.replaceAll('~', '~0').replace('/', '~1'))}` },
    { $ref: `#/$defs/${hostileName.replaceAll('~', '~0').replace('/', '~1').replace('%', '%25')}` },
    { $ref: '#/$defs/outer/$defs/inner' },
    { $ref: '#/$defs/list/items' },
    { $ref: '#/$defs/' },
    { $ref: '#port' },
    { $dynamicRef: '#dyn' },
    { $dynamicRef: '#/$defs/port' },
    { $ref: '#dyn' },
    { $ref: '#/properties/b' },
    { $ref: '#/$defs/port', $dynamicRef: '#dyn', allOf: [true] },
    { allOf: [{ $ref: '#/$defs/port' }] },
  ])('%j', schema => {
    const document = { properties: { a: schema, b: { $ref: '#/$defs/port' } }, $defs }
    expect(problemsOfValues(document, { a: 9 })).toEqual([])
    expect(problemsOfValues(document, { a: 10 })).toEqual([{ path: ['a'], message: 'must be <= 9' }])
  })

  test('a reference to the root applies all of its keywords', () => {
    const document = withProperty({ $ref: '#' }, { required: ['b'] })
    expect(problemsOfValues(document, { a: { b: 1, a: { b: 2 } } })).toEqual([])
    expect(problemsOfValues(document, { a: { b: 1, a: {} } })).toEqual([
      { path: ['a', 'a'], message: 'must have the property b' },
    ])
  })

  test('properties evaluated by a reference count as evaluated', () => {
    const named = { properties: { n: { type: 'integer' } } }
    const document = withProperty(
      { $ref: '#/$defs/named', unevaluatedProperties: false },
      { $defs: { named } },
    )
    expect(problemsOfValues(document, { a: { n: 1 } })).toEqual([])
    expect(problemsOfValues(document, { a: { n: 1, m: 1 } })).toHaveLength(1)
  })

  test('items that a reference did not evaluate are unevaluated', () => {
    const $defs = { list: { type: 'array' }, pair: { prefixItems: [true, true] } }
    for (const [name, most] of [
      ['list', 0],
      ['pair', 2],
    ] as const) {
      const document = withProperty({ $ref: `#/$defs/${name}`, unevaluatedItems: false }, { $defs })
      expect(problemsOfValues(document, { a: Array(most).fill(1) })).toEqual([])
      expect(problemsOfValues(document, { a: Array(most + 1).fill(1) })).toEqual([
        { path: ['a'], message: `must have ${most} or fewer items` },
      ])
    }
  })
})

test('keywords that only ajv knows have no effect', () => {
  for (const extra of [
    { $async: true },
    { nullable: true },
    { $data: 'x' },
    { discriminator: {} },
    { id: 'x' },
  ]) {
    expect(problemsOfValues(withProperty({ type: 'string', ...extra }), { a: null })).toHaveLength(1)
  }
})

test('names inherited from Object.prototype are not properties of a value', () => {
  const schema = withProperty({ required: ['toString'], properties: { constructor: { type: 'string' } } })
  expect(problemsOfValues(schema, { a: {} })).toEqual([
    { path: ['a'], message: 'must have the property toString' },
  ])
  expect(problemsOfValues(schema, { a: { toString: 1 } })).toEqual([])
  expect(problemsOfValues(schema, { a: { toString: 1, constructor: 1 } })).toHaveLength(1)
})

test('__proto__ in a value is a name like any other', () => {
  const value = JSON.parse('{"__proto__":1}')
  expect(problemsOfValues(withProperty({ additionalProperties: false }), { a: value })).toHaveLength(1)
  expect(problemsOfValues(withProperty({ maxProperties: 0 }), { a: value })).toHaveLength(1)
})

describe('values are compared as JSON, whatever their keys are called', () => {
  test.each([
    { valueOf: 1 },
    { toString: {} },
    { constructor: { a: [1] } },
    { hasOwnProperty: null },
    JSON.parse('{"__proto__":1}'),
    { b: 1, a: [{ d: null, c: '' }] },
    'x',
    [1, '1'],
    null,
  ])('%j', value => {
    const other = { ...value, z: 1 }
    const same = JSON.parse(JSON.stringify(value))
    const data = Object.hasOwn(Object(value), '__proto__') ? {} : value
    const schema = { properties: { c: { const: data }, e: { enum: [1, data] }, u: { uniqueItems: true } } }
    expect(problemsOfValues(schema, { u: [value, other] })).toEqual([])
    expect(problemsOfValues(schema, { u: [value, same] })).toHaveLength(1)
    expect(problemsOfValues(schema, { c: other, e: other })).toHaveLength(2)
    if (data === value) expect(problemsOfValues(schema, { c: same, e: same })).toEqual([])
  })
})

describe('an empty name is a name', () => {
  test.each([
    { required: [''] },
    { required: ['a', ''] },
    { dependentRequired: { a: [''] } },
    { dependencies: { a: [''] } },
    { properties: { '': { type: 'string' } }, minProperties: 2 },
  ])('%j', schema => {
    expect(problemsOfValues(withProperty(schema), { a: { a: 1, '': 'x' } })).toEqual([])
    expect(problemsOfValues(withProperty(schema), { a: { a: 1 } })).toHaveLength(1)
  })
})

describe('items are unique as JSON values', () => {
  test.each<[unknown[], boolean]>([
    [[1, '1', true, 'true', null, 'null', [1], '[1]', { a: 1 }, '{"a":1}', {}, []], true],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    [[1, 1.0], false],
    [[['a'], ['a']], false],
    [[{ a: 1 }, { a: 2 }], true],
  ])('%j: %j', (items, unique) => {
    expect(problemsOfValues(withProperty({ uniqueItems: true }), { a: items })).toHaveLength(unique ? 0 : 1)
    expect(problemsOfValues(withProperty({ uniqueItems: false }), { a: items })).toEqual([])
  })
})

describe('a bug of ajv in tracking what was evaluated', () => {
  const branches = JSON.parse('{"if":{},"then":{},"else":{"patternProperties":{"^a":false}}}')
  const schema = { ...branches, patternProperties: { b$: {} } }

  test('does not matter where nothing depends on it', () => {
    expect(problemsOfValues(withProperty(schema), { a: { b: null } })).toEqual([])
  })

  test('is a refusal where something does', () => {
    const strict = withProperty({ ...schema, unevaluatedProperties: false })
    expect(problemsOfValues(strict, { a: { b: null } })).toEqual([
      { path: ['a'], message: expect.stringContaining('not supported') },
    ])
  })
})
