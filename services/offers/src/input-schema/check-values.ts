import type { Validators } from './compile.ts'
import { explain } from './explain.ts'
import { MAX_PROBLEMS, type Problem, problem } from './problem.ts'

/** Holds each value against the schema of the property of its name. A name without a validator is skipped. */
export function checkValues(validators: Validators, values: { [property: string]: unknown }): Problem[] {
  const problems: Problem[] = []
  for (const [property, value] of Object.entries(values)) {
    if (problems.length === MAX_PROBLEMS) break
    const validate = validators.get(property)
    if (!validate) continue
    try {
      if (validate(value)) continue
      const { path, message } = explain(validate.errors ?? [])
      problems.push(problem([property, ...path], message))
    } catch (error) {
      problems.push(problem([property], failed(error)))
    }
  }
  return problems
}

function failed(error: unknown): string {
  // Recursive schemas follow a value as deep as it goes.
  if (error instanceof RangeError) return 'is nested too deeply'
  // What throws is code made of the seller's schema: known for unevaluatedProperties beside if and else.
  return 'cannot be checked: its schema combines keywords in a way that is not supported'
}
