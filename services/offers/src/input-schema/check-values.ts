import type { Compiled, Validators } from './compile.ts'
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

/**
 * Holds the values of all properties together against the schema: what is wrong with each, and where that is nothing,
 * what the root asks for beside. So it costs twice what the properties cost, at most.
 */
export function checkWhole(
  { validators, whole }: Compiled,
  values: { [property: string]: unknown },
): Problem[] {
  const required = (whole.schema as { required?: string[] }).required ?? []
  const missing = required
    .filter(name => !Object.hasOwn(values, name))
    .map(name => problem([name], 'is required'))
  const problems = [...missing, ...checkValues(validators, values)]
  if (problems.length > 0) return problems.slice(0, MAX_PROBLEMS)
  try {
    return whole(values) ? [] : [explain(whole.errors ?? [], { namesMissing: true })]
  } catch (error) {
    return [problem([], failed(error))]
  }
}

function failed(error: unknown): string {
  // Recursive schemas follow a value as deep as it goes.
  if (error instanceof RangeError) return 'is nested too deeply'
  // What throws is code made of the seller's schema: known for unevaluatedProperties beside if and else.
  return 'cannot be checked: its schema combines keywords in a way that is not supported'
}
