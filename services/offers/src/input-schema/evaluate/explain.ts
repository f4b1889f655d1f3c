/** Messages for ajv's errors. Its own are switched off, since they would put the seller's text into generated code again. */
import type { ErrorObject } from 'ajv'
import { fromPointer } from '../json-pointer.ts'
import { list, type Problem, problem, quote } from '../problem.ts'

export const maxOptions = 5

type Params = Record<string, unknown>

const counted = (what: string) => (p: Params) => `must have ${p.limit} ${what}`
const compared = (p: Params) => `must be ${p.comparison} ${p.limit}`

const messages: Record<string, (params: Params) => string> = {
  type: p => `must be ${[p.type].flat().join(' or ')}`,
  enum: p => `must be one of: ${list(p.allowedValues as unknown[])}`,
  const: p => `must be: ${quote(p.allowedValue)}`,
  minimum: compared,
  maximum: compared,
  exclusiveMinimum: compared,
  exclusiveMaximum: compared,
  multipleOf: p => `must be a multiple of ${p.multipleOf}`,
  minLength: counted('or more characters'),
  maxLength: counted('or fewer characters'),
  minItems: counted('or more items'),
  maxItems: counted('or fewer items'),
  items: counted('or fewer items'),
  unevaluatedItems: p => `must have ${p.len ?? p.limit} or fewer items`,
  minProperties: counted('or more properties'),
  maxProperties: counted('or fewer properties'),
  uniqueItems: () => 'must not contain duplicate items',
  contains: p =>
    `must contain ${p.maxContains === undefined ? 'at least ' : ''}${containRange(p)} matching items`,
  pattern: p => `must match the pattern ${quote(p.pattern)}`,
  format: p => `must be a valid ${quote(p.format)}`,
  required: p => `must have the property ${quote(p.missingProperty)}`,
  additionalProperties: p => `must not have the property ${quote(p.additionalProperty)}`,
  unevaluatedProperties: p => `must not have the property ${quote(p.unevaluatedProperty)}`,
  not: () => 'must not be a value that the schema excludes',
  oneOf: () => 'must match exactly one of the alternatives, and matches several',
  'false schema': () => 'may not have a value',
}

/**
 * Explains the errors of one failed validation that stopped at its first error.
 *
 * @param pathToMissing whether the path of a missing property leads to it, and not to the object that lacks it
 */
export function explain(errors: ErrorObject[], { pathToMissing = false } = {}): Problem {
  const last = errors.at(-1)
  if (!last) return problem([], 'is not valid')
  const before = errors.slice(0, -1)
  // The last error is the outermost. For these keywords the error that caused it says more.
  if (last.keyword === 'if' && before.length > 0) return explain(before, { pathToMissing })
  if (last.keyword === 'required' && pathToMissing)
    return problem([...tokens(last), String((last.params as Params).missingProperty)], 'is required')
  if (last.keyword === 'propertyNames') {
    const name = quote((last.params as Params).propertyName)
    const inner = before.length > 0 ? explain(before).message : 'is not allowed'
    return problem(tokens(last), `must not have the name ${name}: a name ${inner}`)
  }
  if (last.keyword === 'anyOf' || (last.keyword === 'oneOf' && !(last.params as Params).passingSchemas)) {
    return problem(tokens(last), alternatives(before, last))
  }
  return problem(tokens(last), messageOf(last))
}

export function explainEach(errors: ErrorObject[]): Problem[] {
  const first = new Map<string, ErrorObject>()
  for (const error of errors) if (!first.has(error.instancePath)) first.set(error.instancePath, error)
  return [...first.values()].map(error => problem(tokens(error), messageOf(error)))
}

function alternatives(branches: ErrorObject[], outer: ErrorObject): string {
  const here = branches.filter(error => error.instancePath === outer.instancePath && isListed(error))
  const options = [...new Set(here.map(messageOf))]
  if (options.length === 0 || options.length > maxOptions)
    return 'must match one of the alternatives of its schema'
  return options.join(', or ')
}

/** Whether the error can be listed as one of the alternatives of an outer one. */
export const isListed = ({ keyword }: ErrorObject): boolean => keyword in messages

export function messageOf(error: ErrorObject): string {
  return messages[error.keyword]?.(error.params as Params) ?? `does not satisfy ${quote(error.keyword)}`
}

function tokens(error: ErrorObject): string[] {
  return fromPointer(error.instancePath)
}

function containRange(p: Params): string {
  if (p.maxContains === undefined) return String(p.minContains)
  return p.minContains === p.maxContains ? `exactly ${p.minContains}` : `${p.minContains} to ${p.maxContains}`
}
