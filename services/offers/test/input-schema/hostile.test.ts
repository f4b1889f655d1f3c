// Any schema is either refused or evaluated within the limit of steps: no thread is ended by its limit of time, or dies.
import { everything, sized } from '@svc/testing/size'
import { afterAll, describe, expect, test } from 'vitest'
import { createInputSchemas, type FieldValues } from '../../src/input-schema/input-schemas.ts'
import { doublingSchema, doublingValue } from './hostile-values.ts'
import { ofWorkspace } from './of-workspace.ts'
import { patientLimits } from './patient-limits.ts'

const lost: string[] = []
const schemas = ofWorkspace(
  createInputSchemas({
    ...patientLimits,
    onTooExpensive: ({ why }) => {
      if (why !== 'steps') lost.push(why)
    },
  }),
)
afterAll(() => schemas.close())

async function publishAndValidate(schema: unknown, values: FieldValues) {
  const checked = await schemas.check(schema)
  if (!checked.ok) return { stage: 'publish', problems: checked.problems }
  const load = async () => checked.schema_text
  const answer = await schemas.validate({ hash: checked.hash, load, values })
  return answer.ok ? { stage: 'valid' } : { stage: 'validate', problems: answer.problems }
}

const a = (schema: unknown, rest: object = {}) => ({ properties: { a: schema }, ...rest })
const numbers = Array.from({ length: 100_000 }, (_, i) => i)
const nested = (levels: number) => JSON.parse('{"a":'.repeat(levels) + '{}'.padEnd(levels + 2, '}'))
const references = (count: number, make: (next: object) => unknown, last: unknown) => {
  const chain = Array.from({ length: count }, (_, i) => [`d${i}`, make({ $ref: `#/$defs/d${i + 1}` })])
  return { $defs: { ...Object.fromEntries(chain), [`d${count}`]: last } }
}
const long = `${'a'.repeat(100_000)}!`

type Case = [string, unknown, FieldValues, ('publish' | 'validate' | 'valid')[]]

test.each<Case>([
  ['nested quantifiers', a({ pattern: '^(a+)+$' }), { a: long }, ['validate']],
  ['nested groups', a({ pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' }), { a: long }, ['validate']],
  ['overlapping alternatives', a({ pattern: '^(a|a|aa)*$' }), { a: long }, ['validate']],
  ['many states', a({ pattern: '^(.?){500}(a|b)[ab]{400}$' }), { a: long }, ['validate']],
  ['DFA blow-up', a({ pattern: '(.*a.{12})$' }), { a: 'ab'.repeat(50_000) }, ['valid', 'validate']],
  ['a pattern bomb', a({ pattern: '(a{1000}){1000}' }), { a: long }, ['publish']],
  ['nested parentheses', a({ pattern: '('.repeat(30_000) + ')'.repeat(30_000) }), { a: '' }, ['publish']],
  [
    'thousands of patterns',
    a({ anyOf: Array.from({ length: 2500 }, (_, i) => ({ pattern: `(a|${i}){30}` })) }),
    { a: long },
    ['publish'],
  ],
  [
    'patternProperties bombs',
    a({
      patternProperties: Object.fromEntries(Array.from({ length: 190 }, (_, i) => [`^(a+)+${i}$`, false])),
    }),
    { a: { [long]: 1 } },
    ['validate'],
  ],
  [
    'huge patternProperties',
    a({ patternProperties: { '(?:[\\pL\\pN]{1000}){1}': {} } }),
    { a: { [long]: 1 } },
    ['valid', 'validate'],
  ],
  [
    'doubling references',
    a(
      { $ref: '#/$defs/d0' },
      references(30, next => ({ anyOf: [next, next] }), false),
    ),
    { a: 1 },
    ['publish'],
  ],
  [
    'doubling references in oneOf',
    a(
      { $ref: '#/$defs/d0' },
      references(30, next => ({ oneOf: [next, { not: next }] }), true),
    ),
    { a: 1 },
    ['publish'],
  ],
  ['doubling by the value', doublingSchema('table'), doublingValue(40), ['validate']],
  ['a reference to itself', a({ $ref: '#/properties/a' }), { a: 1 }, ['publish']],
  ['a reference to the root', a({ $ref: '#' }), { a: nested(2000) }, ['valid', 'validate']],
  ['the root refers to itself', { $ref: '#', properties: { a: { $ref: '#' } } }, { a: 1 }, ['publish']],
  [
    'mutual references',
    a({ $ref: '#/$defs/b' }, { $defs: { b: { allOf: [{ $ref: '#/$defs/c' }] }, c: { $ref: '#/$defs/b' } } }),
    { a: 1 },
    ['publish'],
  ],
  [
    'a long chain of references',
    a(
      { $ref: '#/$defs/d0' },
      references(190, next => next, { type: 'null' }),
    ),
    { a: 1 },
    ['validate'],
  ],
  ['a dynamic reference to itself', a({ $dynamicRef: '#x', $dynamicAnchor: 'x' }), { a: 1 }, ['publish']],
  ['a dynamic anchor by another name', a({ $dynamicRef: '#__proto__' }), { a: 1 }, ['publish']],
  ['unique numbers', a({ uniqueItems: true }), { a: numbers }, ['valid']],
  ['unique objects', a({ uniqueItems: true }), { a: numbers.slice(0, 30_000).map(n => ({ n })) }, ['valid']],
  ['a huge enum', a({ enum: numbers.slice(0, 11_000) }), { a: 'x' }, ['validate']],
  [
    'a huge enum of objects',
    a({ items: { enum: numbers.slice(0, 5000).map(n => ({ n })) } }),
    { a: numbers.slice(0, 3000).map(n => ({ n: -n - 1 })) },
    ['validate'],
  ],
  ['a huge const', a({ const: numbers.slice(0, 11_000) }), { a: numbers.slice(0, 11_000) }, ['valid']],
  ['a huge required', a({ required: numbers.slice(0, 7000).map(String) }), { a: {} }, ['validate']],
  [
    'thousands of alternatives',
    a({ anyOf: Array(sized(3000, 9000)).fill({}) }),
    { a: 1 },
    ['valid', 'publish'],
  ],
  [
    'thousands of conditions',
    a({ allOf: Array(sized(400, 1100)).fill(JSON.parse('{"if":{"type":"null"},"then":false,"else":{}}')) }),
    { a: 1 },
    ['valid', 'publish'],
  ],
  [
    'unevaluated through alternatives',
    a({ unevaluatedProperties: false, anyOf: Array(sized(500, 1500)).fill({ properties: { b: true } }) }),
    { a: { c: 1 } },
    ['validate', 'publish'],
  ],
  [
    'a schema nested 30,000 deep',
    a(JSON.parse('{"not":'.repeat(30_000) + '{}'.padEnd(30_002, '}'))),
    { a: 1 },
    ['publish'],
  ],
  ['a value nested 30,000 deep', a({ $ref: '#' }), { a: nested(30_000) }, ['validate']],
  ['a remote reference', a({ $ref: 'http://127.0.0.1:1/x' }), { a: 1 }, ['publish']],
  ['a format on hostile text', a({ format: 'url' }), { a: `http://${'a:'.repeat(50_000)} ` }, ['validate']],
  ['an e-mail of great length', a({ format: 'email' }), { a: `a@${'a-'.repeat(50_000)}` }, ['validate']],
  ['multipleOf next to nothing', a({ multipleOf: 5e-324 }), { a: 1e308 }, ['valid', 'validate']],
  ['a list of wrong items', a({ items: { type: 'string' } }), { a: numbers }, ['validate']],
])('%s', async (_, schema, values, stages) => {
  const answer = await publishAndValidate(schema, values)
  expect(stages).toContain(answer.stage)
  expect(lost.splice(0)).toEqual([])
  if (answer.problems) expect(answer.problems.length).toBeGreaterThan(0)
  expect(JSON.stringify(answer).length).toBeLessThan(50_000)
})

describe('names and values are never executed as code', () => {
  const marks = [
    "'",
    '"',
    '`',
    '\\',
    '\n',
    '\u2028',
    '\0',
    '/',
    '~',
    '~1',
    '%',
    '%25',
    '#',
    '*/',
    '//',
    '</script>',
  ]
  const code = [
    '"+process.exit(1)+"',
    "');process.exit(1)//",
    `\`$${'{process.exit(1)}'}\``,
    `$${'{process.exit(1)}'}`,
    '"]}process.exit(1)',
  ]
  const names = [
    '',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    'data',
    'self',
    '$id',
    ...marks,
    ...code,
  ]

  // In `npm test` every other one.
  test.each(names.filter((_, at) => everything || at % 2 === 0))('%j', async name => {
    const schema = {
      properties: {
        [name]: {
          type: 'object',
          properties: { [name]: { enum: [name, `${name}${name}`], const: name } },
          required: [name],
          dependentRequired: { [name]: [name] },
          dependentSchemas: { [name]: { minProperties: 1 } },
          additionalProperties: false,
          title: name,
          format: name,
          $comment: name,
          [`x-${name}`]: name,
        },
        b: { $ref: `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}` },
        c: { pattern: name.replaceAll(/[^a-z/'"`]/g, '[^]'), patternProperties: { '[\'"`]': false } },
      },
      $defs: { [name]: { const: name } },
    }
    const checked = await schemas.check(schema)
    expect(checked).toMatchObject({ ok: true })
    if (!checked.ok) return
    const validate = (values: FieldValues) => {
      return schemas.validate({ hash: checked.hash, load: async () => checked.schema_text, values })
    }
    expect(await validate({ [name]: { [name]: name }, b: name, c: name })).toEqual({ ok: true })
    expect(await validate({ [name]: { [name]: `${name}!` } })).toMatchObject({
      problems: [{ path: [name, name] }],
    })
    expect(await validate({ [name]: {}, b: `${name}!` })).toMatchObject({
      problems: [{ path: [name] }, { path: ['b'] }],
    })
    expect(await validate({ [name]: { [name]: name, extra: 1 } })).toMatchObject({
      problems: [{ path: [name] }],
    })
  })
})
