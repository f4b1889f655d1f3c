import type { ErrorObject } from 'ajv'
import type { CompiledSchema } from './compile.ts'
import type { Definition } from './definition.ts'
import { TooExpensive } from './evaluation.ts'
import { explain } from './explain.ts'
import { toPointer } from '../json-pointer.ts'
import { maxProblems, type Problem, problem } from '../problem.ts'

type Values = Record<string, unknown>

export function checkValues(schema: CompiledSchema, values: Values): Problem[] {
  return schema.evaluation.run(() => propertyProblems(schema, values))
}

/**
 * Checks complete values: required names, then each value, and if those are valid, the other keywords of the root.
 */
export function checkComplete(schema: CompiledSchema, values: Values): Problem[] {
  const missing = schema.required
    .filter(name => !Object.hasOwn(values, name))
    .map(name => problem([name], 'is required'))
  return schema.evaluation.run(() => {
    const problems = [...missing, ...propertyProblems(schema, values)]
    if (problems.length > 0) return problems.slice(0, maxProblems)
    return check(schema.root, values, [], errors => explain(errors, { pathToMissing: true }))
  })
}

function propertyProblems({ validators, evaluation }: CompiledSchema, values: Values): Problem[] {
  const problems: Problem[] = []
  for (const [property, value] of Object.entries(values)) {
    if (problems.length === maxProblems || evaluation.exceeded) break
    const validator = validators.get(property)
    if (validator) problems.push(...check(validator, value, [property], errors => explain(errors)))
  }
  return problems
}

function check(
  definition: Definition,
  value: unknown,
  path: string[],
  explainErrors: (errors: ErrorObject[]) => Problem,
): Problem[] {
  try {
    if (definition.evaluate(value, { instancePath: toPointer(path) })) return []
    const { path: at, message } = explainErrors(definition.errors)
    return [problem(at, message)]
  } catch (error) {
    return [problem(path, failureMessage(error))]
  }
}

function failureMessage(error: unknown): string {
  if (error instanceof TooExpensive) return 'is too expensive to check against its schema: make it smaller'
  // Recursive schemas descend as deep as the value goes.
  if (error instanceof RangeError) return 'is nested too deeply'
  // Code generated from the seller's schema threw, which is known to happen for unevaluatedProperties next to if
  // and else.
  return 'cannot be checked: its schema combines keywords in a way that is not supported'
}
