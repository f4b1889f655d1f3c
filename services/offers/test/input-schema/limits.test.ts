import { describe, expect, test } from 'vitest'
import { maxTextBytes } from '../../src/input-schema/input-schemas.ts'
import { maxEvaluations } from '../../src/input-schema/check/evaluation-cost.ts'
import { maxInstructions } from '../../src/input-schema/evaluate/pattern.ts'
import { ofWorkspace } from './of-workspace.ts'
import { problemsOf, withProperty } from './published-schema.ts'
import { sharedSchemas } from './shared-schemas.ts'

const schemas = ofWorkspace(sharedSchemas())

const names = (count: number, prefix = 'p') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, true]))

describe('a schema is at most 64 KiB long', () => {
  const padded = (bytes: number, filler: string) => {
    const empty = Buffer.byteLength(JSON.stringify(withProperty({ description: '' })))
    return withProperty({ description: filler.repeat((bytes - empty) / Buffer.byteLength(filler)) })
  }

  test('65,536 bytes are accepted', async () => {
    const schema = padded(maxTextBytes, 'x')
    const answer = await schemas.check(schema)
    expect(answer).toMatchObject({ ok: true, schema_text: JSON.stringify(schema) })
  })

  test('one byte more is refused', async () => {
    expect(await schemas.check(padded(maxTextBytes + 1, 'x'))).toEqual({
      ok: false,
      problems: [{ path: [], message: 'must be at most 65536 bytes long as JSON, and is 65537' }],
    })
  })

  test('bytes are counted, not characters', async () => {
    expect(await schemas.check(padded(maxTextBytes * 1.5, '漢'))).toMatchObject({ ok: false })
  })
})

describe('objects and arrays nest at most 16 levels deep', () => {
  // The value of `const` is inside three levels.
  const nested = (levels: number) =>
    withProperty({ const: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) })

  test('16 are accepted', () => expect(problemsOf(nested(13))).toEqual([]))

  test('17 are refused, with the path', () => {
    const [problem] = problemsOf(nested(14))
    expect(problem?.path).toEqual(['properties', 'a', 'const', ...Array(13).fill('0')])
    expect(problem?.message).toContain('16 levels')
  })
})

describe('a schema has at most 200 property names', () => {
  test('200 are accepted', () => expect(problemsOf({ properties: names(200) })).toEqual([]))

  test('201 are refused', () => expect(problemsOf({ properties: names(201) })).toHaveLength(1))

  test('wherever they are defined', () => {
    const spread = (count: number) => ({
      properties: { ...names(49), a: { properties: names(50), patternProperties: names(50) } },
      $defs: names(count),
    })
    expect(problemsOf(spread(50))).toEqual([])
    expect(problemsOf(spread(51))).toEqual([
      {
        path: [],
        message: 'must have at most 200 names under properties, patternProperties and $defs, and has 201',
      },
    ])
  })

  test('data that looks like properties does not count', () => {
    expect(problemsOf(withProperty({ const: { properties: names(300) } }))).toEqual([])
  })
})

test('the patterns of a schema share one limit', () => {
  const repeated = (count: number) =>
    withProperty({ anyOf: Array(count).fill({ pattern: '(?:abcdefgh){100}' }) })
  expect(maxInstructions).toBe(10_000)
  expect(problemsOf(repeated(12))).toEqual([])
  expect(problemsOf(repeated(13))).toEqual([
    {
      path: ['properties', 'a', 'anyOf', '12', 'pattern'],
      message: 'is too large a pattern: use fewer repetitions and alternatives',
    },
  ])
})

describe('a value is checked against a bounded number of schemas', () => {
  const doubling = (times: number) => {
    const levels = Array.from({ length: times }, (_, i) => {
      return [`d${i}`, { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }]
    })
    const $defs = { ...Object.fromEntries(levels), [`d${times}`]: { type: 'null' } }
    return withProperty({ $ref: '#/$defs/d0' }, { $defs })
  }

  test('doubling 12 times is accepted', () => expect(problemsOf(doubling(12))).toEqual([]))

  test.each([13, 30, 190])('doubling %i times is refused', times => {
    const [problem] = problemsOf(doubling(times))
    expect(problem?.message).toContain(`more than ${maxEvaluations} schemas`)
  })
})

test('at most 50 problems are reported', () => {
  const properties = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`p${i}`, { pattern: '(' }]))
  expect(problemsOf({ properties })).toHaveLength(50)
  const types = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`p${i}`, { type: 'text' }]))
  expect(problemsOf({ properties: types })).toHaveLength(50)
})
