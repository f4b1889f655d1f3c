import type { ErrorObject } from 'ajv'
import type { Compiled } from './compile.ts'
import type { Definition } from './definition.ts'
import { TooExpensive } from './evaluation.ts'
import { explain } from './explain.ts'
import { toPointer } from '../json-pointer.ts'
import { MAX_PROBLEMS, type Problem, problem } from '../problem.ts'

type Values = { [property: string]: unknown }

/** Checks each value against the schema of its property. Names without a validator are skipped. */
export function checkValues(schema: Compiled, values: Values): Problem[] {
  return schema.evaluation.run(() => propertyProblems(schema, values))
}

/**
 * Holds the values of all properties together against the schema: what is wrong with each, and where that is nothing,
 * what the root asks for beside.
 */
export function checkWhole(schema: Compiled, values: Values): Problem[] {
  const missing = schema.required
    .filter(name => !Object.hasOwn(values, name))
    .map(name => problem([name], 'is required'))
  return schema.evaluation.run(() => {
    const problems = [...missing, ...propertyProblems(schema, values)]
    if (problems.length > 0) return problems.slice(0, MAX_PROBLEMS)
    return check(schema.whole, values, [], errors => explain(errors, { namesMissing: true }))
  })
}

function propertyProblems({ validators, evaluation }: Compiled, values: Values): Problem[] {
  const problems: Problem[] = []
  for (const [property, value] of Object.entries(values)) {
    if (problems.length === MAX_PROBLEMS || evaluation.exceeded) break
    const validator = validators.get(property)
    if (validator) problems.push(...check(validator, value, [property], errors => explain(errors)))
  }
  return problems
}

function check(
  definition: Definition,
  value: unknown,
  path: string[],
  explained: (errors: ErrorObject[]) => Problem,
): Problem[] {
  try {
    // Named from the root, as by the root itself: it shares what is remembered.
    if (definition.evaluate(value, { instancePath: toPointer(path) })) return []
    const { path: at, message } = explained(definition.errors)
    return [problem(at, message)]
  } catch (error) {
    return [problem(path, failed(error))]
  }
}

function failed(error: unknown): string {
  if (error instanceof TooExpensive) return 'is too expensive to check against its schema: make it smaller'
  // Recursive schemas follow a value as deep as it goes.
  if (error instanceof RangeError) return 'is nested too deeply'
  // What throws is code made of the seller's schema: known for unevaluatedProperties beside if and else.
  return 'cannot be checked: its schema combines keywords in a way that is not supported'
}
