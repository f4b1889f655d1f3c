// How many steps values take: they are counted, so they are the same on every machine.
import { describe, expect, test } from 'vitest'
import { checkInputSchema } from '../../src/input-schema/check/check-input-schema.ts'
import { checkValues, checkComplete } from '../../src/input-schema/evaluate/check-values.ts'
import { defaultMaxSteps } from '../../src/input-schema/evaluate/evaluation.ts'
import { doublingSchema, doublingValue, longSchema, longValue } from './hostile-values.ts'
import { ofWorkspace } from './of-workspace.ts'
import { sharedSchemas } from './shared-schemas.ts'

type Values = Record<string, unknown>

function compiled(schema: object) {
  const checked = checkInputSchema(JSON.stringify(schema))
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  const { evaluation } = checked.schema
  const check = (values: Values) => ({
    problems: checkValues(checked.schema, values),
    steps: evaluation.spent,
  })
  const checkAll = (values: Values) => ({
    problems: checkComplete(checked.schema, values),
    steps: evaluation.spent,
  })
  return { check, checkAll }
}

const condition = (combined: string, more: object = {}) => ({
  properties: { a: { $ref: '#/$defs/condition' } },
  $defs: {
    condition: {
      ...more,
      [combined]: [
        { type: 'string' },
        ...['and', 'or'].map(op => ({
          type: 'object',
          properties: { of: { $ref: '#/$defs/condition' }, op: { const: op } },
          required: ['of', 'op'],
        })),
      ],
    },
  },
})
const nested = (levels: number, leaf: unknown = 'x'): unknown =>
  levels === 0 ? leaf : { of: nested(levels - 1, leaf), op: 'or' }

// One definition for each level, without recursion.
const unrolled = (levels: number) => ({
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, at) => {
      const next = { properties: { n: { $ref: `#/$defs/d${at + 1}` } }, required: ['n'] }
      return [`d${at}`, at < levels ? { anyOf: [next, next] } : { required: ['none'] }]
    }),
  ),
})

describe('each part of a value is checked against a definition once, so steps grow linearly with the levels', () => {
  const linear = (steps: (levels: number) => number) => {
    const [one = 0, two = 0, four = 0] = [11, 22, 44].map(steps)
    expect(two - one).toBe((four - two) / 2)
    expect(four).toBeLessThan(10_000)
  }

  test.each<[string, object, (levels: number) => Values, boolean]>([
    ['oneOf', condition('oneOf'), levels => ({ a: nested(levels) }), true],
    ['oneOf, nothing matches', condition('oneOf'), levels => ({ a: nested(levels, 1) }), false],
    ['anyOf, nothing matches', doublingSchema('steps'), doublingValue, false],
    [
      'beside unevaluatedProperties',
      condition('oneOf', { unevaluatedProperties: false }),
      levels => ({ a: nested(levels) }),
      true,
    ],
  ])('%s', (_, schema, values, valid) => {
    const { check } = compiled(schema)
    linear(levels => {
      const { problems, steps } = check(values(levels))
      expect(problems.length === 0).toBe(valid)
      return steps
    })
  })

  test('without recursion', () => {
    linear(levels => {
      const { problems, steps } = compiled(unrolled(levels)).check(doublingValue(levels))
      expect(problems).toHaveLength(1)
      return steps
    })
  })

  test('checking complete values costs little more than checking each', () => {
    const { check, checkAll } = compiled(condition('oneOf'))
    const values = { a: nested(44) }
    expect(checkAll(values).problems).toEqual([])
    expect(checkAll(values).steps).toBeLessThan(check(values).steps + 20)
  })
})

test('a memoized result is the same as an evaluated one: problems, and what is left unevaluated', () => {
  const { check } = compiled({
    properties: { a: { oneOf: [{ $ref: '#/$defs/b' }, { allOf: [{ $ref: '#/$defs/b' }, false] }] } },
    $defs: {
      b: { $ref: '#/$defs/c', unevaluatedProperties: false },
      c: { properties: { n: { type: 'integer' } } },
    },
  })
  expect(check({ a: { n: 1 } }).problems).toEqual([])
  expect(check({ a: { n: 1, m: 1 } }).problems).toEqual([
    { path: ['a'], message: 'must not have the property m' },
  ])
})

test('the deepest problem among alternatives is still the one reported', () => {
  const { check } = compiled({
    properties: { a: { $ref: '#/$defs/list' } },
    $defs: {
      list: { properties: { next: { $ref: '#/$defs/list' }, v: { $ref: '#/$defs/v' } } },
      v: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/two' }] },
      two: { oneOf: [{ type: 'null' }, { minimum: 2 }] },
    },
  })
  expect(check({ a: { next: { next: { v: 1 } } } }).problems).toEqual([
    {
      path: ['a', 'next', 'next', 'v'],
      message:
        'must be string, or must be null, or must be >= 2, or must match exactly one of the alternatives, and matches several',
    },
  ])
})

describe('values that take too many steps', () => {
  const tooExpensive = [{ path: ['a'], message: expect.stringContaining('too expensive to check') }]

  test('are refused, and nothing else is', () => {
    const { check } = compiled(longSchema('steps'))
    const { problems, steps } = check(longValue(30_000))
    expect(problems).toEqual(tooExpensive)
    expect(steps).toBeGreaterThan(defaultMaxSteps)
    expect(check(longValue(10)).problems).toEqual([
      { path: ['a'], message: 'must contain at least 1 matching items' },
    ])
  })

  test.each<[string, object, unknown]>([
    ['long texts', { anyOf: Array(400).fill({ minLength: 300_000 }) }, 'x'.repeat(200_000)],
    ['patterns', { anyOf: Array(20).fill({ pattern: '^(x|y)*z$' }) }, 'x'.repeat(200_000)],
    ['URLs', { contains: { format: 'url' } }, Array(60).fill(`http://${'a:'.repeat(2000)} `)],
    [
      'many names',
      { anyOf: Array(400).fill({ maxProperties: 1 }) },
      Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [at, 1])),
    ],
    [
      'required names',
      { contains: { required: Array.from({ length: 6000 }, (_, at) => `${at}`) } },
      Array(1000).fill({}),
    ],
    ['lists to compare', { anyOf: Array(400).fill({ const: 1 }) }, Array(9000).fill(1)],
    [
      'long divisions',
      { anyOf: Array(2).fill({ contains: { multipleOf: 7e-30 } }) },
      Array(9000).fill(1e308),
    ],
    ['wrong types', { anyOf: Array(400).fill({ contains: { type: 'null' } }) }, Array(9000).fill(1)],
  ])('by %s', (_, schema, a) => {
    expect(compiled({ properties: { a: schema } }).check({ a }).problems).toEqual(tooExpensive)
  })

  test('take the same number every time, whatever was checked before', () => {
    const { check } = compiled(longSchema('again'))
    const [first, second, third] = [check(longValue(50)), check(longValue(49)), check(longValue(50))]
    expect(first).toEqual(third)
    expect(second.steps).toBeLessThan(first.steps)
  })

  test('have no lasting effect', async () => {
    const schemas = ofWorkspace(sharedSchemas())
    const checked = await schemas.check(longSchema('no mark'))
    const hash = checked.ok ? checked.hash : ''
    const validate = (values: Values) =>
      schemas.validate({ hash, load: () => Promise.reject(new Error('known')), values })
    for (let round = 0; round < 3; round++) {
      expect(await validate(longValue(30_000))).toEqual({ ok: false, problems: tooExpensive })
      expect(await validate(longValue(10))).toMatchObject({ problems: [{ path: ['a'] }] })
    }
  })
})
