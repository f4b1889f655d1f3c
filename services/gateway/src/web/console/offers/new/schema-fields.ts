/**
 * A version's input schema as fields of a form, each with a lock. Values without a plain field are entered as JSON.
 */
import { labelOf } from '../../../kit/offers/offer-form-data.ts'
import type { FieldKind, FieldSpec } from '../../../kit/forms/field-spec.ts'

type Schema = Readonly<Record<string, unknown>>

export type SchemaField = readonly [value: FieldSpec, lock: FieldSpec]

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const maxFields = 100
const maxChoices = 200

/** @returns undefined if there are more properties than a form can show */
export function schemaFields(schema: Schema): readonly SchemaField[] | undefined {
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  return properties.length > maxFields
    ? undefined
    : properties.map(([name, property], at) => fieldOf(schema, name, isObject(property) ? property : {}, at))
}

export const propertyOf = ([{ at }]: SchemaField): string => (at as readonly string[])[1] ?? ''

/** The text of a value's field; undefined if the field could not send the same value. */
export function typedText({ kind }: FieldSpec, value: unknown): string | undefined {
  if (kind === 'texts') {
    const lines = Array.isArray(value) ? value.map(String) : []
    const isSame = lines.every(line => line !== '' && line === line.trim() && !line.includes('\n'))
    return lines.length > 0 && isSame ? lines.join('\n') : undefined
  }
  const isPlain = typeof value === 'string' && kind !== 'json' && kind !== 'value-of'
  return isPlain ? value : JSON.stringify(value)
}

function fieldOf(schema: Schema, property: string, of: Schema, at: number): SchemaField {
  const name = `value.${at}`
  const lock = `lock.${at}`
  const label = labelOf(schema, [property])
  const isSecret = JSON.stringify(of).includes('"format":"password"')
  const kind = kindOf(of, isSecret)
  const value: FieldSpec = {
    ...{ name, label, kind, isSecret },
    at: ['field_values', property, 'value'],
    isOptional: true,
    hint: hintOf(of, kind),
    flag: '--field',
    flagKey: property,
    otherFlag: { while: lock, flag: '--locked-field' },
    ...(kind === 'textarea' && { rows: 1 }),
    ...(kind === 'texts' && { rows: 3 }),
    ...(kind === 'number' && boundsOf(of)),
    ...((kind === 'select' || kind === 'value-of') && { choices: choicesOf(of, kind) }),
  }
  return [
    value,
    {
      name: lock,
      label: 'Lock',
      kind: 'check',
      at: ['field_values', property, 'locked'],
      onlyWith: name,
    },
  ]
}

function kindOf(of: Schema, isSecret: boolean): FieldKind {
  if (isSecret) return of.type === 'string' && of.format === 'password' ? 'secret' : 'json'
  const listed = listedIn(of)
  if (listed) return listed.every(value => typeof value === 'string' && value !== '') ? 'select' : 'value-of'
  switch (of.type) {
    case 'integer':
      return 'number'
    case 'number':
      return 'decimal'
    case 'boolean':
      return 'yes-no'
    case 'string':
      // It may have lines, and begin or end with spaces.
      return of.format === undefined && of.maxLength === undefined ? 'textarea' : 'text'
    case 'array':
      return isObject(of.items) && of.items.type === 'string' ? 'texts' : 'json'
    default:
      return 'json'
  }
}

/** The values of an enumeration, if a list can show them. */
function listedIn({ enum: values }: Schema): readonly unknown[] | undefined {
  if (!Array.isArray(values) || values.length === 0 || values.length > maxChoices) return undefined
  return values.every(value => typeof value !== 'object' || value === null) ? values : undefined
}

function choicesOf(of: Schema, kind: FieldKind): (readonly [string, string])[] {
  const values = listedIn(of) ?? []
  const textOf = (value: unknown) => (kind === 'select' ? String(value) : JSON.stringify(value))
  const areNumbers = values.every(value => typeof value !== 'string')
  const shown = (value: unknown) => (areNumbers ? String(value) : textOf(value))
  return [['', 'Not set'], ...values.map(value => [textOf(value), shown(value)] as const)]
}

function boundsOf({ minimum, maximum }: Schema): Pick<FieldSpec, 'min' | 'max'> {
  return {
    ...(typeof minimum === 'number' && { min: minimum }),
    ...(typeof maximum === 'number' && { max: maximum }),
  }
}

function hintOf(of: Schema, kind: FieldKind): string | undefined {
  const description = typeof of.description === 'string' ? of.description.slice(0, 500) : undefined
  const parts = [description, howTyped(of, kind)].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : undefined
}

function howTyped(of: Schema, kind: FieldKind): string | undefined {
  if (kind === 'json') return 'Enter JSON.'
  if (kind === 'texts') return 'One per line.'
  if (kind !== 'number' && kind !== 'decimal') return undefined
  const { min, max } = boundsOf(of)
  if (min !== undefined && max !== undefined) return `Between ${min} and ${max}.`
  if (min !== undefined) return `At least ${min}.`
  return max === undefined ? undefined : `At most ${max}.`
}
