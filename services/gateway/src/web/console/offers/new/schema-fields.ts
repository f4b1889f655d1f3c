/**
 * A version's input schema as fields of a form, each with a lock. Values without a plain field are entered as JSON.
 */
import { labelOf } from '../../../kit/offers/offer-form-data.ts'
import {
  type FieldKind,
  type FieldSpec,
  type FieldValues,
  isFilled,
  namesOf,
  pathOf,
} from '../../../kit/forms/field-spec.ts'

type Schema = Readonly<Record<string, unknown>>

export interface SchemaField {
  readonly property: string
  readonly label: string
  readonly parts: readonly FieldSpec[]
  /** Whether they are those of an object. */
  readonly isGroup: boolean
  readonly lock: FieldSpec
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const maxFields = 100
const maxChoices = 200
const maxParts = 20
const maxBoxes = 30

/** @returns undefined if there are more properties than a form can show */
export function schemaFields(schema: Schema): readonly SchemaField[] | undefined {
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  return properties.length > maxFields
    ? undefined
    : properties.map(([name, property], at) => fieldOf(schema, name, isObject(property) ? property : {}, at))
}

export const isEntered = ({ parts }: SchemaField, values: FieldValues): boolean =>
  parts.flatMap(namesOf).some(name => isFilled(values[name]))

/** What the inputs show for a value; undefined if they could not send the same value. */
export function typedValues(
  { property, parts, isGroup }: SchemaField,
  value: unknown,
): FieldValues | undefined {
  if (!isGroup) return parts[0] && typedValue(parts[0], value)
  const typed = leavesOf(value, parts, placeOf(property)).map(
    ([part, inside]) => part && typedValue(part, inside),
  )
  return typed.length > 0 && typed.every(one => one !== undefined) ? Object.assign({}, ...typed) : undefined
}

/** Where a value is in the body. */
const placeOf = (property: string) => ['field_values', property, 'value']

type Leaf = readonly [part: FieldSpec | undefined, value: unknown]

/** Each value that has an input of its own, or none. */
function leavesOf(value: unknown, parts: readonly FieldSpec[], path: readonly string[]): Leaf[] {
  const part = parts.find(one => JSON.stringify(pathOf(one)) === JSON.stringify(path))
  const inside = isObject(value) && !part ? Object.entries(value) : []
  if (inside.length === 0) return [[part, value]]
  return inside.flatMap(([name, one]) => leavesOf(one, parts, [...path, name]))
}

function typedValue(spec: FieldSpec, value: unknown): FieldValues | undefined {
  if (spec.kind === 'checks') {
    const chosen = (spec.choices ?? [])
      .map(([one]) => one)
      .filter(one => Array.isArray(value) && value.includes(one))
    const isSame = chosen.length > 0 && JSON.stringify(chosen) === JSON.stringify(value)
    return isSame ? Object.fromEntries(chosen.map(one => [`${spec.name}.${one}`, 'on'])) : undefined
  }
  const text = typedText(spec, value)
  return text === undefined ? undefined : { [spec.name]: text }
}

function typedText({ kind }: FieldSpec, value: unknown): string | undefined {
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
  const place = placeOf(property)
  const otherFlag = { while: lock, flag: '--locked-field' }
  const inside = partsOf(of)
  const parts = inside
    ? // `svc` has no option for a part of a value.
      inside.map(({ path, schema, label }) => ({
        ...inputOf(schema, label),
        ...{
          name: `${name}.${path.join('.')}`,
          at: [...place, ...path],
          flag: '--field',
          flagKey: '',
          otherFlag,
        },
      }))
    : [{ ...inputOf(of, label), ...{ name, at: place, flag: '--field', flagKey: property, otherFlag } }]
  return {
    ...{ property, label, parts, isGroup: inside !== undefined },
    lock: {
      name: lock,
      label: 'Lock',
      kind: 'check',
      at: ['field_values', property, 'locked'],
      onlyWith: parts.flatMap(namesOf),
    },
  }
}

function inputOf(of: Schema, label: string): Omit<FieldSpec, 'name'> {
  const isSecret = JSON.stringify(of).includes('"format":"password"')
  const kind = kindOf(of, isSecret)
  return {
    ...{ label, kind, isSecret },
    isOptional: true,
    hint: hintOf(of, kind),
    ...(kind === 'textarea' && { rows: 1 }),
    ...(kind === 'texts' && { rows: 3 }),
    ...(kind === 'number' && boundsOf(of)),
    ...((kind === 'select' || kind === 'value-of') && { choices: choicesOf(of, kind) }),
    ...(kind === 'checks' && { choices: choicesOf(Object(of.items), 'select').slice(1) }),
  }
}

const plainObject = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
])

interface Part {
  readonly path: readonly string[]
  readonly schema: Schema
  /** With those of the objects that it is in: “Network: Port”. */
  readonly label: string
}

/**
 * The properties of an object, and of those in it, that are fields of their own; undefined if one is not, or something
 * else applies to it.
 */
function partsOf(of: Schema): readonly Part[] | undefined {
  if (of.type !== 'object' || !Object.keys(of).every(keyword => plainObject.has(keyword))) return undefined
  const parts: Part[] = []
  for (const [name, one] of Object.entries(isObject(of.properties) ? of.properties : {})) {
    const schema = isObject(one) ? one : {}
    const label = labelOf(of, [name])
    const inside = partsOf(schema)
    if (inside)
      parts.push(
        ...inside.map(part => ({ ...part, path: [name, ...part.path], label: `${label}: ${part.label}` })),
      )
    else if (kindOf(schema, JSON.stringify(schema).includes('"password"')) === 'json') return undefined
    else parts.push({ path: [name], schema, label })
  }
  return parts.length > 0 && parts.length <= maxParts ? parts : undefined
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
      if (!isObject(of.items)) return 'json'
      if (listedIn(of.items)) return hasBoxes(of.items) ? 'checks' : 'json'
      return of.items.type === 'string' ? 'texts' : 'json'
    default:
      return 'json'
  }
}

const hasBoxes = (items: Schema): boolean => {
  const listed = listedIn(items) ?? []
  return listed.length <= maxBoxes && listed.every(value => typeof value === 'string' && value !== '')
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
