import type { ValidationError } from 'class-validator'
import { type Problem, refusal } from '../../shared/refusal.ts'

export const validationError = (errors: ValidationError[]) =>
  refusal(400, ...errors.flatMap(error => problems(error, [])))

function problems(
  { property, constraints = {}, children = [] }: ValidationError,
  parents: string[],
): Problem[] {
  const path = [...parents, property]
  const own = Object.values(constraints).map(message => ({ code: 40002, message, path }))
  return [...own, ...children.flatMap(child => problems(child, path))]
}
