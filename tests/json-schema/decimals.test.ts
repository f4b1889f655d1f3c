// The service and the form evaluate numbers alike, as the decimals that were written.
import { describe, expect, test } from 'vitest'
import { form, service } from './evaluators.ts'

const cases: [schema: object, value: number, valid: boolean][] = [
  ...[19.99, 1.11, 0.07, 0.57, 4.35, 1.1, -19.99, 0, -0, 1e15, 123456789012.34].map(
    (value): [object, number, boolean] => [{ multipleOf: 0.01 }, value, true],
  ),
  ...[19.999, 0.005, 1.0000001, 1e-9, 0.010000000000000002].map((value): [object, number, boolean] => [
    { multipleOf: 0.01 },
    value,
    false,
  ]),
  [{ multipleOf: 0.1 }, 0.3, true],
  [{ multipleOf: 0.1 }, 0.1 + 0.2, false],
  [{ multipleOf: 0.0001 }, 0.0075, true],
  [{ multipleOf: 0.0001 }, 0.00751, false],
  [{ multipleOf: 0.15 }, 1.05, true],
  [{ multipleOf: 2.5 }, 7.5, true],
  [{ multipleOf: 3 }, 9, true],
  [{ multipleOf: 3 }, 10, false],
  [{ multipleOf: 1e-8 }, 12345.678, true],
  [{ multipleOf: 1e-8 }, 1.5e-8, false],
  [{ multipleOf: 1e-8 }, 9007199254740991, true],
  [{ multipleOf: 0.123456789 }, 1e308, false],
  [{ multipleOf: 1e-30 }, 1e308, true],
  [{ multipleOf: 3e-30 }, 1e308, false],
  [{ multipleOf: 1e300 }, 3, false],
  [{ multipleOf: 1e300 }, 3e300, true],
  [{ type: 'integer', multipleOf: 0.01 }, 20, true],
  [{ type: 'integer' }, 1.0, true],
  [{ minimum: 0.3 }, 0.3, true],
  [{ minimum: 0.1 + 0.2 }, 0.3, false],
  [{ exclusiveMaximum: 0.3 }, 0.3, false],
  [{ const: 19.99 }, 19.99, true],
  [{ const: 0 }, -0, true],
  [{ enum: [0.1, 0.2] }, 0.30000000000000004, false],
]

describe.each([
  ['the service', service],
  ['the form', form],
])('%s', (_, evaluate) => {
  test.each(cases)('%j, %d: %j', (schema, value, valid) => {
    expect(evaluate(schema)(value)).toBe(valid ? 'valid' : 'invalid')
  })
})
