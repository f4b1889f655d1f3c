import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ofWorkspace } from './of-workspace.ts'
import { problemsOf, withProperty } from './published-schema.ts'
import { sharedSchemas } from './shared-schemas.ts'

const schemas = ofWorkspace(sharedSchemas())

test('the hash is that of the stored text', async () => {
  const schema = withProperty({ type: 'string', title: 'Región' })
  const schema_text = JSON.stringify(schema)
  const hash = createHash('sha256').update(schema_text, 'utf8').digest('hex')
  expect(await schemas.check(schema)).toEqual({ ok: true, hash, schema_text })
  expect(schemas.isReady(hash)).toBe(true)
})

test.each<[string, unknown, string[], string]>([
  ['null', null, [], 'JSON Schema object'],
  ['undefined', undefined, [], 'JSON Schema object'],
  ['a boolean', true, [], 'JSON Schema object'],
  ['a list', [], [], 'JSON Schema object'],
  ['no properties', {}, ['properties'], 'is required'],
  ['properties that are a list', { properties: [] }, ['properties'], 'maps names to schemas'],
  ['another type', { type: 'array', properties: {} }, ['type'], "must be 'object'"],
  ['two types', { type: ['object', 'null'], properties: {} }, ['type'], "must be 'object'"],
  [
    'an older dialect',
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: {} },
    ['$schema'],
    '2020-12',
  ],
  [
    'a nested $schema',
    withProperty({ $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    ['properties', 'a', '$schema'],
    'root',
  ],
  ['an $id', { $id: 'https://example.com/a', properties: {} }, ['$id'], 'leave it out'],
  ['an $id inside', withProperty({ $id: '#a' }), ['properties', 'a', '$id'], ''],
  [
    'a misspelt type',
    withProperty({ type: 'strin' }),
    ['properties', 'a', 'type'],
    'must be one of: array, boolean',
  ],
  ['a negative length', withProperty({ minLength: -1 }), ['properties', 'a', 'minLength'], 'must be >= 0'],
  [
    'items as a list',
    withProperty({ items: [{}] }),
    ['properties', 'a', 'items'],
    'must be object or boolean',
  ],
  ['an empty enum', withProperty({ enum: [] }), ['properties', 'a', 'enum'], 'at least one value'],
  ['an open group', withProperty({ pattern: '(' }), ['properties', 'a', 'pattern'], 'RE2'],
  ['lookahead', withProperty({ pattern: '^(?=a)' }), ['properties', 'a', 'pattern'], 'without lookaround'],
  ['lookbehind', withProperty({ pattern: '(?<!a)b' }), ['properties', 'a', 'pattern'], 'without lookaround'],
  ['a back reference', withProperty({ pattern: '(a)\\1' }), ['properties', 'a', 'pattern'], 'RE2'],
  [
    'a repetition bomb',
    withProperty({ pattern: '((a{100}){100}){100}' }),
    ['properties', 'a', 'pattern'],
    'repeat count',
  ],
  [
    'a bad patternProperties key',
    withProperty({ patternProperties: { 'x/(': {} } }),
    ['properties', 'a', 'patternProperties', 'x/('],
    'RE2',
  ],
  ['a remote $ref', withProperty({ $ref: 'https://example.com/s' }), ['properties', 'a', '$ref'], 'local'],
  ['a file $ref', withProperty({ $ref: 'file:///etc/passwd' }), ['properties', 'a', '$ref'], 'local'],
  ['a relative $ref', withProperty({ $ref: 'other#/a' }), ['properties', 'a', '$ref'], 'local'],
  [
    'a $ref to the meta schema',
    withProperty({ $ref: 'https://json-schema.org/draft/2020-12/schema' }),
    ['properties', 'a', '$ref'],
    'local',
  ],
  [
    'a remote $dynamicRef',
    withProperty({ $dynamicRef: 'https://example.com/s#x' }),
    ['properties', 'a', '$dynamicRef'],
    'local',
  ],
  ['a dangling $ref', withProperty({ $ref: '#/$defs/b' }), ['properties', 'a', '$ref'], 'point to a schema'],
  ['a dangling anchor', withProperty({ $ref: '#b' }), ['properties', 'a', '$ref'], 'point to a schema'],
  [
    'a $ref into the prototype',
    withProperty({ $ref: '#/constructor' }),
    ['properties', 'a', '$ref'],
    'point to a schema',
  ],
  [
    'a $ref to __proto__',
    withProperty({ $ref: '#/__proto__' }),
    ['properties', 'a', '$ref'],
    'point to a schema',
  ],
  [
    'a $ref to data',
    withProperty({ const: {}, $ref: '#/properties/a/const' }),
    ['properties', 'a', '$ref'],
    'point to a schema',
  ],
  [
    'a $ref to a map',
    withProperty({ $ref: '#/properties' }),
    ['properties', 'a', '$ref'],
    'point to a schema',
  ],
  ['a bad escape', withProperty({ $ref: '#/$defs/%' }), ['properties', 'a', '$ref'], '%25'],
  [
    'an anchor used twice',
    withProperty({ $anchor: 'x' }, { $defs: { b: { $dynamicAnchor: 'x' } } }),
    ['$defs', 'b', '$dynamicAnchor'],
    'unique in the document',
  ],
  [
    'a $ref to itself',
    withProperty({ $ref: '#/properties/a' }),
    ['properties', 'a', '$ref'],
    'refer back to itself',
  ],
  [
    'a $dynamicRef to itself',
    withProperty({ $dynamicAnchor: 'x', $dynamicRef: '#x' }),
    ['properties', 'a', '$dynamicRef'],
    'refer back to itself',
  ],
])('%s is refused, with its path and what to do about it', (_, schema, path, message) => {
  const [problem] = schema === undefined ? [{ path: [], message: 'JSON Schema object' }] : problemsOf(schema)
  expect(problem?.path).toEqual(path)
  expect(problem?.message).toContain(message)
})

test('undefined is refused like any other value that is not a schema', async () => {
  expect(await schemas.check(undefined)).toMatchObject({ ok: false })
})

describe('a key __proto__ is refused anywhere', () => {
  test.each([
    '{"properties":{"__proto__":{}}}',
    '{"properties":{},"__proto__":{}}',
    '{"properties":{"a":{"const":{"b":[{"__proto__":1}]}}}}',
    '{"properties":{"a":{"x-unknown":{"__proto__":null}}}}',
    '{"properties":{"a":{"dependentRequired":{"__proto__":[]}}}}',
  ])('%s', async text => {
    const answer = await schemas.check(JSON.parse(text))
    expect(answer).toMatchObject({ ok: false })
    expect(answer.ok ? [] : answer.problems[0]?.path.at(-1)).toBe('__proto__')
  })
})

describe('reference cycles that never descend into the value are refused', () => {
  test.each<[string, object]>([
    ['mutual', { b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } }],
    ['by allOf', { b: { allOf: [{ $ref: '#/$defs/b' }] } }],
    ['by not', { b: { not: { $ref: '#/$defs/b' } } }],
    ['by if', { b: { if: { $ref: '#/$defs/b' } } }],
    ['by dependentSchemas', { b: { dependentSchemas: { x: { $ref: '#/$defs/b' } } } }],
    [
      'by $dynamicRef and anchors',
      { b: { $dynamicAnchor: 'n', $dynamicRef: '#m' }, c: { $anchor: 'm', $ref: '#n' } },
    ],
    ['by the parent', { b: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/b' }] } }],
  ])('%s', (_, $defs) => {
    const [problem] = problemsOf(withProperty({ $ref: '#/$defs/b' }, { $defs }))
    expect(problem?.message).toContain('refer back to itself')
  })

  test('cycles that descend into the value are accepted', () => {
    expect(problemsOf(withProperty({ $ref: '#' }))).toEqual([])
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
    }
    expect(problemsOf(withProperty({ $ref: '#/$defs/tree' }, { $defs: { tree } }))).toEqual([])
  })
})

describe('legal schemas are accepted', () => {
  test.each<[string, object]>([
    ['an explicit dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', properties: {} }],
    [
      'unknown formats and keywords',
      withProperty({ format: 'phone', 'x-order': 1, nullable: 'yes', $async: true }),
    ],
    ['a format named like a method', withProperty({ format: 'constructor' })],
    ['keywords without their type', withProperty({ minimum: 1, minLength: 1, required: ['b'] })],
    ['then without if', withProperty(JSON.parse('{"then":false,"minContains":2}'))],
    ['two types', withProperty({ type: ['string', 'null'] })],
    ['a tuple', withProperty({ prefixItems: [true], items: false })],
    ['tuple without a bound', withProperty({ type: 'array', prefixItems: [{ type: 'string' }] })],
    ['boolean subschemas', { properties: { a: true, b: false } }],
    ['anchors', withProperty({ $ref: '#b' }, { $defs: { b: { $anchor: 'b', type: 'string' } } })],
    [
      'a property named $id',
      { properties: { $id: { type: 'string' }, $ref: { type: 'string' }, $schema: true } },
    ],
    ['a definition named $id', { properties: {}, $defs: { $id: { type: 'string' }, $anchor: {} } }],
    [
      'an $id in data',
      withProperty({ default: { $id: 'x' }, examples: [{ $id: 'x' }], 'x-y': { $id: 'x' } }),
    ],
    ['definitions of older drafts', withProperty({ $ref: '#/definitions/b' }, { definitions: { b: {} } })],
    ['dependencies of older drafts', withProperty({ dependencies: { b: ['c'], d: { required: ['e'] } } })],
  ])('%s', async (_, schema) => {
    expect(await schemas.check(schema)).toMatchObject({ ok: true })
  })
})
