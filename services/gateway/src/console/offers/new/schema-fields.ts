/** A version's input schema as fields of a form, each with a lock. What no plain field can hold is written as JSON. */
import { labelOf } from '../../../pages/offer/offer-form-data.ts'
import type { FieldKind, FieldSpec } from '../../forms/field-spec.ts'

type Schema = Readonly<Record<string, unknown>>

/** The value and its lock. */
export type SchemaField = readonly [value: FieldSpec, lock: FieldSpec]

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** So many properties are shown as fields. */
const most = 100

/** @returns undefined where there are more properties than a form can show */
export function schemaFields(schema: Schema): readonly SchemaField[] | undefined {
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  return properties.length > most
    ? undefined
    : properties.map(([name, property], at) => fieldOf(schema, name, isObject(property) ? property : {}, at))
}

function fieldOf(schema: Schema, property: string, of: Schema, at: number): SchemaField {
  const name = `value.${at}`
  const lock = `lock.${at}`
  const label = labelOf(schema, [property])
  const description = typeof of.description === 'string' ? of.description.slice(0, 500) : undefined
  const kind = kindOf(of)
  const value: FieldSpec = {
    ...{ name, label, kind },
    at: ['field_values', property, 'value'],
    isOptional: true,
    hint: kind === 'json' ? [description, 'As JSON.'].filter(Boolean).join(' ') : description,
    isSecret: kind === 'secret' || JSON.stringify(of).includes('"format":"password"'),
    flag: '--field',
    flagKey: property,
    otherFlag: { while: lock, flag: '--locked-field' },
    ...(kind === 'textarea' && { rows: 1 }),
    ...(kind === 'select' && {
      choices: [['', 'Not filled in'], ...textsOf(of).map(text => [text, text] as const)],
    }),
  }
  return [
    value,
    {
      name: lock,
      label: 'Locked: the customer cannot change it',
      kind: 'check',
      at: ['field_values', property, 'locked'],
      onlyWith: name,
    },
  ]
}

const textsOf = ({ enum: values }: Schema): string[] =>
  Array.isArray(values) &&
  values.length > 0 &&
  values.length <= 200 &&
  values.every(value => typeof value === 'string' && value !== '')
    ? (values as string[])
    : []

function kindOf(of: Schema): FieldKind {
  if (textsOf(of).length > 0) return 'select'
  switch (of.type) {
    case 'integer':
      return 'number'
    case 'number':
      return 'decimal'
    case 'boolean':
      return 'yes-no'
    case 'string':
      if (of.format === 'password') return 'secret'
      // It may have lines, and begin or end with spaces.
      return of.format === undefined && of.maxLength === undefined ? 'textarea' : 'text'
    default:
      return 'json'
  }
}
