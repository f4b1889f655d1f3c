// Sentences for the compiler's errors. Its own are switched off: they would put the seller's text into
// generated code once more.
import type { ErrorObject } from 'ajv'
import { fromPointer } from '../json-pointer.ts'
import { list, type Problem, problem, quote } from '../problem.ts'

/** More alternatives than these are not listed. */
export const MAX_OPTIONS = 5

type Params = { [name: string]: unknown }

const counted = (what: string) => (p: Params) => `must have ${p.limit} ${what}`
const compared = (p: Params) => `must be ${p.comparison} ${p.limit}`

const sentences: { [keyword: string]: (params: Params) => string } = {
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
    `must contain ${p.maxContains === undefined ? 'at least ' : ''}${containRange(p)} fitting items`,
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
 * What the errors of one failed validation, stopped at its first error, say together. `path` is relative, and leads to
 * the object that misses a property, or to that property.
 */
export function explain(errors: ErrorObject[], { namesMissing = false } = {}): Problem {
  const last = errors.at(-1)
  if (!last) return problem([], 'is not valid')
  const before = errors.slice(0, -1)
  // The last error is the outermost: for these keywords the one that led to it says more.
  if (last.keyword === 'if' && before.length > 0) return explain(before, { namesMissing })
  if (last.keyword === 'required' && namesMissing)
    return problem([...tokens(last), String((last.params as Params).missingProperty)], 'is required')
  if (last.keyword === 'propertyNames') {
    const name = quote((last.params as Params).propertyName)
    const inner = before.length > 0 ? explain(before).message : 'is not allowed'
    return problem(tokens(last), `must not have the name ${name}: a name ${inner}`)
  }
  if (last.keyword === 'anyOf' || (last.keyword === 'oneOf' && !(last.params as Params).passingSchemas)) {
    return problem(tokens(last), alternatives(before, last))
  }
  return problem(tokens(last), sentence(last))
}

/** One problem per path, from all collected errors. */
export function explainEach(errors: ErrorObject[]): Problem[] {
  const first = new Map<string, ErrorObject>()
  for (const error of errors) if (!first.has(error.instancePath)) first.set(error.instancePath, error)
  return [...first.values()].map(error => problem(tokens(error), sentence(error)))
}

function alternatives(branches: ErrorObject[], outer: ErrorObject): string {
  const here = branches.filter(error => error.instancePath === outer.instancePath && isListed(error))
  const options = [...new Set(here.map(sentence))]
  if (options.length === 0 || options.length > MAX_OPTIONS)
    return 'must match one of the alternatives of its schema'
  return options.join(', or ')
}

/** Whether the error can be one of the alternatives that an outer one lists. */
export const isListed = ({ keyword }: ErrorObject): boolean => keyword in sentences

export function sentence(error: ErrorObject): string {
  return sentences[error.keyword]?.(error.params as Params) ?? `does not satisfy ${quote(error.keyword)}`
}

function tokens(error: ErrorObject): string[] {
  return fromPointer(error.instancePath)
}

function containRange(p: Params): string {
  if (p.maxContains === undefined) return String(p.minContains)
  return p.minContains === p.maxContains ? `exactly ${p.minContains}` : `${p.minContains} to ${p.maxContains}`
}
