import type { ErrorObject } from 'ajv'
import { isListed, MAX_OPTIONS, sentence } from './explain.ts'

/**
 * Of the errors of one evaluation of the value at `instancePath` those by which `explain` says the same, whatever other
 * errors come to stand around them: a few, where alternatives that meet the same errors again would double them at each level.
 */
export function relevantErrors(errors: ErrorObject[], instancePath: string): ErrorObject[] {
  let at = errors.length - 1
  while (at > 0 && OUTER.has(errors[at]?.keyword ?? '')) at--
  const explained = errors[at]
  if (at <= 0 || !explained) return errors
  const before = errors.slice(0, at)
  return [
    ...options(before, instancePath),
    ...(explained.instancePath === instancePath ? [] : options(before, explained.instancePath)),
    ...errors.slice(at).filter(error => error.keyword !== 'if'),
  ]
}

/** Errors that `explain` puts down to the one before. */
const OUTER = new Set(['if', 'propertyNames'])

/** One for each sentence, and one more than are ever listed. */
function options(errors: ErrorObject[], instancePath: string): ErrorObject[] {
  const bySentence = new Map<string, ErrorObject>()
  for (const error of errors) {
    if (bySentence.size > MAX_OPTIONS) break
    if (error.instancePath !== instancePath || !isListed(error)) continue
    const text = sentence(error)
    if (!bySentence.has(text)) bySentence.set(text, error)
  }
  return [...bySentence.values()]
}
