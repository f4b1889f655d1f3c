/** Derives fields of a form from an operation's schema: kind, choices, bounds, and whether one may stay empty. */
import type { Operation } from '@svc/contract/core/operation'
import { isTime, type Present, type Property, present, schemaOf } from '@svc/contract/openapi/json-schema'
import { asWords } from '../ui/words.ts'
import type { FieldKind, FieldSpec } from './field-spec.ts'

export type OwnField = Partial<Omit<FieldSpec, 'hint'>> &
  Pick<FieldSpec, 'name' | 'label'> & {
    readonly hint?: string | ((property: Present) => string)
    /** Better words for some of the choices. */
    readonly labels?: Readonly<Record<string, string>>
  }

/**
 * @param own in the order of the form, each at `at` or, without it, the body's field of its name
 * @throws Error if the body has no such field
 */
export const formFields = (operation: Operation, own: readonly OwnField[]): FieldSpec[] =>
  own.map(field => formField(operation, field))

export function formField(operation: Operation, { hint, labels = {}, ...field }: OwnField): FieldSpec {
  const schema = bodyOf(operation)
  const path = typeof field.at === 'string' ? field.at : field.name
  const found = at(schema, path.split('.'))
  if (!found) throw new Error(`The body has no field ${path}.`)
  const { property, isRequired } = found
  // A change may omit every field, but its form has them all.
  const isOptional = operation.http?.method === 'PATCH' ? property.nullable : !isRequired
  const kind = kindOf(path, property)
  const choices = property.enum ?? property.items?.enum
  return {
    ...(kind !== 'text' && { kind }),
    ...(isOptional && kind !== 'check' && { isOptional }),
    ...(isOptional && property.nullable && { empty: null }),
    ...(kind === 'number' && boundsOf(property)),
    ...(choices && { choices: choices.map(one => [one, labels[one] ?? choiceText(path, one)] as const) }),
    ...(hint && { hint: typeof hint === 'string' ? hint : hint(property) }),
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

function kindOf(path: string, property: Present): FieldKind {
  if (property.enum) return 'select'
  if (property.items?.enum) return 'checks'
  if (path.endsWith('unit_amount')) return 'money'
  if (isTime(path, property)) return 'moment'
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

const periods: Readonly<Record<string, string>> = { month: 'Monthly', year: 'Yearly' }

export const choiceText = (path: string, choice: string): string =>
  /currenc(y|ies)$/.test(path) ? choice.toUpperCase() : (periods[choice] ?? asWords(choice))
