/** Derives fields of a form from an operation's schema: kind, choices, bounds, and whether one may stay empty. */
import type { Operation } from '@svc/contract/core/operation'
import { isTime, type Present, type Property, present, schemaOf } from '@svc/contract/openapi/json-schema'
import type { FieldKind, FieldSpec } from './field-spec.ts'

export type OwnField = Partial<FieldSpec> & Pick<FieldSpec, 'name' | 'label'>

/**
 * @param own in the order of the form, each at `at` or, without it, the body's field of its name
 * @throws Error if the body has no such field
 */
export const formFields = (operation: Operation, own: readonly OwnField[]): FieldSpec[] =>
  own.map(field => formField(operation, field))

export function formField(operation: Operation, field: OwnField): FieldSpec {
  const schema = bodyOf(operation)
  const path = typeof field.at === 'string' ? field.at : field.name
  const found = at(schema, path.split('.'))
  if (!found) throw new Error(`The body has no field ${path}.`)
  const { property, isRequired } = found
  // A change may omit every field, but its form has them all.
  const isOptional = operation.http?.method === 'PATCH' ? property.nullable : !isRequired
  const kind = kindOf(field.name, property)
  return {
    ...(kind !== 'text' && { kind }),
    ...(isOptional && kind !== 'check' && { isOptional }),
    ...(isOptional && property.nullable && { empty: null }),
    ...(kind === 'number' && boundsOf(property)),
    ...(property.enum && { choices: property.enum.map(one => [one, shown(one)] as const) }),
    ...field,
  }
}

const bodies = new WeakMap<Operation, Property>()
function bodyOf(operation: Operation): Property {
  const known = bodies.get(operation) ?? schemaOf(operation.body)
  bodies.set(operation, known)
  return known
}

interface Found {
  readonly property: Present
  readonly isRequired: boolean
}

function at(schema: Property, [name = '', ...rest]: readonly string[]): Found | undefined {
  const { properties = {}, required = [], oneOf = [], anyOf = [] } = schema
  const found = properties[name]
  if (found) {
    const property = present(found)
    return rest.length > 0 ? at(property, rest) : { property, isRequired: required.includes(name) }
  }
  for (const variant of [...oneOf, ...anyOf]) {
    const inside = at(variant, [name, ...rest])
    if (inside) return inside
  }
  return undefined
}

function kindOf(name: string, property: Present): FieldKind {
  if (property.enum) return 'select'
  if (isTime(name, property)) return 'moment'
  if (property.format?.endsWith('email')) return 'email'
  return kinds[property.type ?? ''] ?? 'text'
}

const kinds: Readonly<Record<string, FieldKind>> = {
  integer: 'number',
  boolean: 'check',
  array: 'lines',
  object: 'json',
}

const boundsOf = ({ minimum, maximum }: Present) => ({
  ...(minimum !== undefined && { min: minimum }),
  ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { max: maximum }),
})

const shown = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1).replaceAll('_', ' ')}`
