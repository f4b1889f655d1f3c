/**
 * A seller's schema without references and without anything unsafe for this browser: small enough for a person to
 * use, or not at all.
 */
import { format as formats } from '@cfworker/json-schema'
import { stringFormats } from '@svc/contract/core/string-formats'
import { isObject, type Schema } from './json-value.ts'
import { isHarmless } from './linear-pattern.ts'

export class TooComplex extends Error {}

export interface Inlined {
  readonly schema: Schema
  /** Whether it is equivalent to the seller's. If not, it may refuse valid values. */
  readonly exact: boolean
}

export interface Budget {
  left: number
}

const deepest = 16

/** @throws TooComplex */
export function inlineSchema(root: Schema, wanted: unknown, budget: Budget): Inlined {
  let exact = true

  function inline(schema: unknown, within: readonly string[], depth: number): Schema | boolean {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema) || depth > deepest || --budget.left < 0) throw new TooComplex()
    const reference = schema.$ref ?? schema.$dynamicRef
    const own = keywordsOf(schema, within, depth)
    if (typeof reference !== 'string') return own
    if (within.includes(reference)) throw new TooComplex()
    const target = inline(targetOf(root, reference), [...within, reference], depth + 1)
    if (typeof target === 'boolean') return target && own
    // A reference mostly has only a title and a description next to it.
    const clashes = Object.keys(own).some(keyword => !annotations.has(keyword))
    return clashes ? { allOf: [target], ...own } : { ...target, ...own }
  }

  function keywordsOf(schema: Schema, within: readonly string[], depth: number): Schema {
    // A step into the value ends a cycle of references; an endless one shows in the depth.
    const down = (inside: unknown) => inline(inside, within, depth + 1)
    const result: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (plain.has(keyword)) result[keyword] = value
      else if (single.has(keyword)) result[keyword] = down(value)
      else if (lists.has(keyword) && Array.isArray(value)) result[keyword] = value.map(down)
      else if (maps.has(keyword) && isObject(value)) {
        result[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, down(one)]))
      } else if (keyword === 'pattern' && typeof value === 'string' && isHarmless(value))
        result.pattern = value
      else if (keyword === 'format' && typeof value === 'string') {
        result.format = value
        if (checkedElsewhere.has(value)) exact = false
      } else if (!ignored.has(keyword) && known.has(keyword)) exact = false
    }
    return result
  }

  const schema = inline(wanted, [], 0)
  if (typeof schema === 'boolean') return { schema: schema ? {} : { not: {} }, exact }
  return { schema, exact }
}

function targetOf(root: Schema, reference: string): unknown {
  const fragment = decodeURIComponent(reference.replace(/^#/, ''))
  if (fragment !== '' && !fragment.startsWith('/')) return anchored(root, fragment)
  let found: unknown = root
  for (const token of fragment.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const inside = found as Record<string, unknown>
    if (typeof found !== 'object' || found === null || !Object.hasOwn(inside, name)) throw new TooComplex()
    found = inside[name]
  }
  return found
}

function anchored(schema: unknown, name: string): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { $anchor, $dynamicAnchor } = schema as Record<string, unknown>
  if ($anchor === name || $dynamicAnchor === name) return schema
  for (const [keyword, inside] of Object.entries(schema)) {
    const found = values.has(keyword) ? undefined : anchored(inside, name)
    if (found) return found
  }
  return undefined
}

const values = new Set(['enum', 'const', 'default', 'examples'])
const annotations = new Set(['title', 'description', 'default', 'examples'])
const plain = new Set([
  ...annotations,
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains'],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired'],
])
const single = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const maps = new Set(['properties', 'dependentSchemas'])
const ignored = new Set(['$ref', '$dynamicRef'])
const known = new Set([
  'pattern',
  'patternProperties',
  'dependencies',
  'unevaluatedItems',
  'unevaluatedProperties',
])

const checkedElsewhere = new Set([
  ...['iso-time', 'iso-date-time', 'url', 'regex', 'byte', 'int32', 'int64', 'float', 'double'],
  ...['json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
])

// The library's own formats differ from the service's, and crafted strings can make some very slow.
for (const name of Object.keys(formats)) delete formats[name]
Object.assign(formats, stringFormats)
