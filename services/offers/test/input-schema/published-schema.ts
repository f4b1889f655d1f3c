import { checkInputSchema } from '../../src/input-schema/check/check-input-schema.ts'
import { checkValues } from '../../src/input-schema/evaluate/check-values.ts'
import type { Problem } from '../../src/input-schema/problem.ts'

/** The problems of a schema; none if it may be published. */
export function problemsOf(schema: unknown): Problem[] {
  const checked = checkInputSchema(JSON.stringify(schema))
  return checked.ok ? [] : checked.problems
}

/** The problems of values checked against a schema, which must be valid. */
export function problemsOfValues(schema: unknown, values: Record<string, unknown>): Problem[] {
  const checked = checkInputSchema(JSON.stringify(schema))
  if (!checked.ok) throw new Error(`refused: ${JSON.stringify(checked.problems)}`)
  return checkValues(checked.schema, values)
}

/** A schema with one property. */
export function withProperty(schema: unknown, rest: object = {}) {
  return { type: 'object', properties: { a: schema }, ...rest }
}
