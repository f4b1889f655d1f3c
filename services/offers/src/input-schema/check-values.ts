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
      // Recursive schemas follow a value as deep as it goes.
      if (!(error instanceof RangeError)) throw error
      problems.push(problem([property], 'is nested too deeply'))
    }
  }
  return problems
}
