// What is not shown of an offer's values: wherever its schema says `format: password`.
import { describe, expect, test } from 'vitest'
import { hideSecrets, notShown } from '../../../src/web/kit/offers/hide-secrets.ts'

const secret = { type: 'string', format: 'password' }
const values = {
  a: { b: ['x', { c: 'y' }], d: 'z' },
  e: 'plain',
}
/** With `hidden` instead of `a.d`. */
const withoutD = { a: { ...values.a, d: notShown }, e: 'plain' }

describe('a value of format password', () => {
  test.each<[string, object, object]>([
    ['in the properties', { properties: { e: secret } }, { ...values, e: notShown }],
    ['in properties of properties', { properties: { a: { properties: { d: secret } } } }, withoutD],
    [
      'in items',
      { properties: { a: { properties: { b: { items: { properties: { c: secret } } } } } } },
      { ...values, a: { ...values.a, b: ['x', { c: notShown }] } },
    ],
    [
      'in the first items',
      { properties: { a: { properties: { b: { prefixItems: [secret] } } } } },
      { ...values, a: { ...values.a, b: [notShown, notShown] } },
    ],
    ['that is an object', { properties: { a: secret } }, { ...values, a: notShown }],
    [
      'behind a reference',
      { $defs: { s: secret }, properties: { e: { $ref: '#/$defs/s' } } },
      { ...values, e: notShown },
    ],
    [
      'behind references in a row, with escaped names',
      {
        $defs: { 'a/b c': secret, t: { $ref: '#/$defs/a~1b%20c' } },
        properties: { a: { properties: { d: { $ref: '#/$defs/t' } } } },
      },
      withoutD,
    ],
    [
      'behind a reference to an object',
      {
        $ref: '#/$defs/root',
        $defs: { root: { properties: { a: { $ref: '#/$defs/in' } } }, in: { properties: { d: secret } } },
      },
      withoutD,
    ],
    ['in an alternative', { oneOf: [{ properties: { e: secret } }, true] }, { ...values, e: notShown }],
    [
      'where a condition holds',
      { if: true, else: { allOf: [{ properties: { e: secret } }] } },
      { ...values, e: notShown },
    ],
    [
      'by a pattern of names',
      { properties: { a: { patternProperties: { '^d': secret }, properties: { b: true } } } },
      { ...values, a: { b: notShown, d: notShown } },
    ],
    [
      'among the other properties',
      { properties: { a: true }, additionalProperties: secret },
      { ...values, e: notShown },
    ],
    [
      'behind an anchor, where anything may be',
      { properties: { e: { $ref: '#name' } } },
      { ...values, e: notShown },
    ],
    [
      'behind a reference to nothing',
      { properties: { e: { $ref: '#/$defs/%ff' } } },
      { ...values, e: notShown },
    ],
  ])('%s is hidden', (_, schema, expected) => {
    expect(hideSecrets(schema as Record<string, unknown>, values)).toEqual(expected)
  })
})

test.each<[string, Record<string, unknown>]>([
  ['without secrets', { properties: { a: { properties: { d: { type: 'string' } } } } }],
  ['that refers to itself', { properties: { a: { $ref: '#' }, d: true }, allOf: [{ $ref: '#' }] }],
  ['that says nothing', {}],
])('everything is shown with a schema %s', (_, schema) => {
  expect(hideSecrets(schema, values)).toEqual(values)
})

test('a schema that takes too long to follow hides what lies behind it', () => {
  const alternatives = Array.from({ length: 300 }, () => ({ type: 'string' }))
  const schema = { properties: { list: { items: { anyOf: alternatives } } } }
  const { list } = hideSecrets(schema, { list: Array(10_000).fill('x') }) as { list: unknown[] }
  expect([list[0], list.at(-1)]).toEqual(['x', notShown])
})
