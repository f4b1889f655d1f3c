import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { Evaluation } from '../../src/input-schema/evaluate/evaluation.ts'
import { LinearPattern, linearPatterns } from '../../src/input-schema/evaluate/pattern.ts'
import { problemsOfValues } from './published-schema.ts'

describe('different patterns of one schema are not confused', () => {
  const document = {
    properties: {
      a: { pattern: '^a$' },
      b: { pattern: '^b$' },
      c: { patternProperties: { '^x': { type: 'string' }, '^y': { type: 'number' } } },
      d: { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    },
  }
  test.each<[string, unknown, boolean]>([
    ['a', 'a', true],
    ['a', 'b', false],
    ['b', 'b', true],
    ['b', 'a', false],
    ['c', { x: 's', y: 1 }, true],
    ['c', { x: 1 }, false],
    ['c', { y: 's' }, false],
    ['d', 'ab', true],
    ['d', 'a', false],
    ['d', 'b', false],
  ])('%s: %j', (name, value, valid) => {
    expect(problemsOfValues(document, { [name]: value })).toHaveLength(valid ? 0 : 1)
  })

  test('although ajv identifies them only by their text', () => {
    const nameless = (source: string) => ({ test: (text: string) => new LinearPattern(source).test(text) })
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } }
    const named = linearPatterns(new Evaluation())
    const compile = (regExp: typeof named) => {
      return new Ajv2020({ code: { regExp }, strict: false }).compile(schema)
    }
    const withoutText = Object.assign(nameless, { code: 'x' }) as unknown as typeof named
    // The danger is real: without texts of their own, all values are matched against the first pattern, the meta schema's.
    expect(compile(withoutText)({ a: 'b' })).toBe(true)
    expect(compile(named)({ a: 'b' })).toBe(false)
    expect(compile(named)({ a: 'a', b: 'b' })).toBe(true)
    expect(String(named('^a$'))).not.toBe(String(named('^b$')))
  })
})

test.each<[string, string, boolean]>([
  ['^\\d{3}$', '123', true],
  ['^\\d{3}$', '123\n', false],
  ['^[\\w.-]+\\/x$', 'a.b-c/x', true],
  ['\\u0041', 'A', true],
  ['^\\p{L}+$', 'Größe', true],
  ['(?<year>\\d{4})', 'in 2024', true],
  ['^.$', '😀', true],
  ['b', 'abc', true],
])('%s on %j: %j', (source, text, matches) => {
  expect(new LinearPattern(source).test(text)).toBe(matches)
})
