/** Validates values with the same messages as the service, which checks them again. */
import { type OutputUnit, Validator } from '@cfworker/json-schema'
import { lostNumber } from '@svc/contract/core/json-numbers'
import type { FieldProblem } from '../../kit/offers/offer-form-data.ts'
import { hasLongString, isObject, type Schema } from './json-value.ts'
import { longestMatched } from './linear-pattern.ts'
import { patternText } from '../../kit/offers/pattern-text.ts'

const maxProblems = 50

export function checkValues(schema: Schema, values: Record<string, unknown>): FieldProblem[] {
  const checked = withoutLongStrings(schema, values)
  const { errors } = new Validator(checked as object, '2020-12', false).validate(values)
  const byPath = new Map<string, FieldProblem>()
  for (const unit of innermost(errors)) {
    const problem = problemOf(unit, checked, values)
    const key = JSON.stringify(problem.path)
    if (!byPath.has(key)) byPath.set(key, problem)
  }
  return [...byPath.values()].slice(0, maxProblems)
}

export function fits(schema: Schema, value: unknown): boolean {
  if (hasLongString(value, longestMatched) && JSON.stringify(schema).includes('"pattern":')) return false
  return new Validator(schema as object, '2020-12', true).validate(value).valid
}

/** Patterns are not run on long strings, which the service checks instead. */
function withoutLongStrings(schema: Schema, values: Record<string, unknown>): Schema {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const kept = Object.entries(properties).filter(([name]) => !hasLongString(values[name], longestMatched))
  return { ...schema, properties: Object.fromEntries(kept) }
}

const outer = new Set([
  ...['properties', 'additionalProperties', 'items', 'prefixItems', 'allOf', 'if', 'dependentSchemas'],
])

function innermost(units: readonly OutputUnit[]): OutputUnit[] {
  const [choice] = units.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  if (!choice) return units.filter(({ keyword }) => !outer.has(keyword))
  const inside = units.filter(unit => unit !== choice && isInside(unit, choice))
  const outside = units.filter(unit => unit !== choice && !inside.includes(unit))
  const start = choice.keywordLocation.length + 1
  const branchOf = (unit: OutputUnit) => unit.keywordLocation.slice(start).split('/', 1)[0] ?? ''
  const branches = [...new Set(inside.map(branchOf))].map(branch =>
    innermost(inside.filter(unit => branchOf(unit) === branch)),
  )
  const [best] = branches.sort((a, b) => a.length - b.length)
  return [...(best ?? [choice]), ...innermost(outside)]
}

const isInside = (unit: OutputUnit, choice: OutputUnit) =>
  unit.keywordLocation.startsWith(`${choice.keywordLocation}/`) &&
  `${unit.instanceLocation}/`.startsWith(`${choice.instanceLocation}/`)

const isNumber = /^-?[\d.]+(?:[eE][+-]?\d+)?$/

const isIndex = /^\d+$/

const missing = /^Instance (?:does not have required property|has .* but does not have) "(.*)"\.$/s

function problemOf(
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
  schema: Schema,
  values: Record<string, unknown>,
): FieldProblem {
  const path = tokensOf(instanceLocation)
  if (valueAt(values, path) === null && isIndex.test(path.at(-1) ?? ''))
    return { path, message: 'is required' }
  if (keyword === 'required' || keyword === 'dependentRequired') {
    const [, name] = missing.exec(error) ?? []
    return { path: name === undefined ? path : [...path, name], message: 'is required' }
  }
  if (keyword === 'pattern') {
    return { path, message: patternText(valueAt(schema, tokensOf(keywordLocation).slice(0, -1)) as Schema) }
  }
  const value = keyword === 'type' && valueAt(values, path)
  const lost = typeof value === 'string' && isNumber.test(value) && lostNumber(value)
  if (lost) return { path, message: lost.problem }
  const wanted = valueAt(schema, tokensOf(keywordLocation))
  if (typeof value === 'string' && numbers.has(wanted) && grouped.test(value))
    return { path, message: ambiguous(value) }
  return { path, message: sentences[keyword]?.(wanted) ?? 'is not valid' }
}

const grouped = /^([-+]?\d+)[.,](\d{3})$/

/** A separator of thousands or of decimals: "1,234". */
const ambiguous = (text: string) => {
  const [, whole = '', rest = ''] = grouped.exec(text.trim()) ?? []
  return `enter ${whole}${rest} or ${whole}${text.includes(',') ? '.' : ','}${rest}: “${text.trim()}” can mean either`
}

const numbers = new Set<unknown>(['number', 'integer'])

const quoted = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60)

const sentences: Record<string, (limit: unknown) => string> = {
  type: type => `must be ${[type].flat().join(' or ')}`,
  enum: options =>
    `must be one of: ${Array.isArray(options) ? options.slice(0, 10).map(quoted).join(', ') : ''}`,
  const: value => `must be: ${quoted(value)}`,
  minimum: limit => `must be ${limit} or more`,
  maximum: limit => `must be ${limit} or less`,
  exclusiveMinimum: limit => `must be more than ${limit}`,
  exclusiveMaximum: limit => `must be less than ${limit}`,
  multipleOf: limit => `must be a multiple of ${limit}`,
  minLength: limit => `must have ${limit} or more characters`,
  maxLength: limit => `must have ${limit} or fewer characters`,
  minItems: limit => `must have ${limit} or more items`,
  maxItems: limit => `must have ${limit} or fewer items`,
  minProperties: limit => `must have ${limit} or more properties`,
  maxProperties: limit => `must have ${limit} or fewer properties`,
  uniqueItems: () => 'must not contain duplicate items',
  format: name => `must be a valid ${quoted(name)}`,
  not: () => 'must not be a value that is excluded',
  false: () => 'may not have a value',
  oneOf: () => 'must match exactly one of the alternatives',
  anyOf: () => 'must match one of the alternatives',
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map(token => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))

function valueAt(schema: unknown, tokens: readonly string[]): unknown {
  let found = schema
  for (const token of tokens) found = (found as Record<string, unknown> | undefined)?.[token]
  return found
}
