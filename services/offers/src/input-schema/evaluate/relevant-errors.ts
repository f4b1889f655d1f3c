import type { ErrorObject } from 'ajv'
import { isListed, maxOptions, messageOf } from './explain.ts'

/**
 * Selects, from the errors of evaluating the value at `instancePath`, the few that `explain` needs for the same message,
 * whatever errors are later added around them. Without this, alternatives that repeat the same errors would double their
 * number at each level.
 */
export function relevantErrors(errors: ErrorObject[], instancePath: string): ErrorObject[] {
  let at = errors.length - 1
  while (at > 0 && outerKeywords.has(errors[at]?.keyword ?? '')) at--
  const explained = errors[at]
  if (at <= 0 || !explained) return errors
  const before = errors.slice(0, at)
  return [
    ...options(before, instancePath),
    ...(explained.instancePath === instancePath ? [] : options(before, explained.instancePath)),
    ...errors.slice(at).filter(error => error.keyword !== 'if'),
  ]
}

const outerKeywords = new Set(['if', 'propertyNames'])

function options(errors: ErrorObject[], instancePath: string): ErrorObject[] {
  const byMessage = new Map<string, ErrorObject>()
  for (const error of errors) {
    if (byMessage.size > maxOptions) break
    if (error.instancePath !== instancePath || !isListed(error)) continue
    const text = messageOf(error)
    if (!byMessage.has(text)) byMessage.set(text, error)
  }
  return [...byMessage.values()]
}
