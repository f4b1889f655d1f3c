// Reliability, row 24, over HTTP: hostile schemas are refused with a pointer into the schema, or evaluated within bounds.
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { made, type Send, startHttpScene } from '../http-scene.ts'

const scene = forFile(() => startHttpScene(joinProduct))
let own: Send
let versions: string
let package_id: string
beforeAll(async () => {
  own = scene.own
  package_id = await made(own, '/packages', { name: 'hostile' })
  versions = `/packages/${package_id}/versions`
})

let published = 0
const publish = (input_schema: object) => {
  published++
  return own('POST', versions, { version: `1.0.${published}`, input_schema })
}

const a = (schema: unknown, rest: object = {}) => ({ properties: { a: schema }, ...rest })
const nested = (levels: number) => {
  let schema: object = {}
  for (let level = 0; level < levels; level++) schema = { items: schema }
  return schema
}
const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => {
    const next = { $ref: `#/$defs/d${n + 1}` }
    return [`d${n}`, { anyOf: [next, next] }]
  }),
)

test.each<[string, object, string]>([
  ['more than 64 KB', a({ description: 'x'.repeat(70_000) }), ''],
  [
    'more than 16 levels',
    a(nested(20)),
    '/properties/a/items/items/items/items/items/items/items/items/items/items/items/items/items/items',
  ],
  [
    'more than 200 properties',
    { properties: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`p${n}`, true])) },
    '',
  ],
  ['no properties', { type: 'object' }, '/properties'],
  ['a type other than object', { type: 'array', properties: {} }, '/type'],
  ['an invalid pattern', a({ pattern: '(' }), '/properties/a/pattern'],
  ['an unknown type', a({ type: 'text' }), '/properties/a/type'],
  ['a remote $ref', a({ $ref: 'https://example.com/s.json' }), '/properties/a/$ref'],
  ['a $ref to a file', a({ $ref: 'file:///etc/passwd' }), '/properties/a/$ref'],
  ['a $ref to nothing', a({ $ref: '#/$defs/none' }), '/properties/a/$ref'],
  ['a $ref to itself', a({ $ref: '#/properties/a' }), '/properties/a/$ref'],
  [
    'a name with a slash and a tilde',
    { properties: { 'a/b~c': { type: 'text' } } },
    '/properties/a~1b~0c/type',
  ],
  ['a pattern that needs backtracking', a({ pattern: '(?=x)y' }), '/properties/a/pattern'],
  ['a pattern of a million states', a({ pattern: '(a{1000}){1000}' }), '/properties/a/pattern'],
  [
    'references that double at each level',
    a({ $ref: '#/$defs/d0' }, { $defs: { ...doubling, d30: false } }),
    '/properties/a',
  ],
])('%s: refused, with a pointer to it', async (_, input_schema, pointer) => {
  const { status, body } = await publish(input_schema)
  expect(status).toBe(422)
  const [first] = body.errors as { code: number; path: string[]; metadata: { pointer: string } }[]
  expect(first).toMatchObject({ code: 42210, metadata: { pointer } })
  expect(first?.path[0]).toBe('input_schema')
})

test('several problems are reported at once, each with its pointer', async () => {
  const { body } = await publish({ properties: { a: { pattern: '(' }, b: { $ref: '#/nowhere' } } })
  const errors = body.errors as { metadata: { pointer: string } }[]
  expect(errors.map(({ metadata }) => metadata.pointer).sort()).toEqual([
    '/properties/a/pattern',
    '/properties/b/$ref',
  ])
})

const atOnce = sized(2, 4)
const others = sized(10, 40)

describe.each<[string, string]>([
  ['nested quantifiers', '^(a+)+$'],
  ['overlapping alternatives', '^(a|a|aa)*$'],
  ['many states', '^(.?){300}(a|b)[ab]{200}$'],
])('a pattern with %s', (_, pattern) => {
  test('is matched against a long value while other requests are served', async () => {
    const { status, body } = await publish(a({ pattern }))
    expect(status).toBe(201)
    const field_values = { a: { value: `${'a'.repeat(100_000)}!`, locked: false } }
    const offers = Promise.all(
      Array.from({ length: atOnce }, () =>
        own('POST', '/offers', { package_version_id: body.id, field_values }),
      ),
    )
    const served = await Promise.all(Array.from({ length: others }, () => own('GET', '/packages')))
    expect(served.map(({ status }) => status)).toEqual(Array(others).fill(200))
    const answers = (await offers).map(({ status, body }) => [
      status,
      (body.errors as { code: number }[])[0]?.code,
    ])
    expect(answers).toEqual(Array(atOnce).fill([422, 42209]))
  })
})

test('refused schemas are not stored, and no fault was logged', async () => {
  const { body } = await own('GET', `${versions}?limit=100`)
  expect(body.data).toHaveLength(3)
  expect(scene.stack.lines.filter(line => /"level":(50|60)/.test(line))).toEqual([])
})
