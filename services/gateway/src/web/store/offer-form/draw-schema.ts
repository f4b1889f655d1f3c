/** The part of a schema that the form library can draw, without anything that it would take for instructions. */
import { isObject, isReservedName, isScalar, type Schema, typeOf } from './json-value.ts'

export class Undrawable extends Error {}

const maxOptions = 500
const maxAlternatives = 30
const deepest = 5

/** @throws Undrawable */
export function drawSchema(schema: Schema, depth = 0): Schema {
  if (depth > deepest) throw new Undrawable()
  const merged = mergeAll(schema)
  const choices = merged.oneOf ?? merged.anyOf
  if (Array.isArray(choices)) return drawChoice(merged, choices, depth)
  const options = merged.const !== undefined ? [merged.const] : merged.enum
  if (Array.isArray(options)) return drawOptions(merged, options)
  const type = oneType(merged)
  if (type === 'object') return drawObject(merged, depth)
  if (type === 'array') return drawArray(merged, depth)
  if (!['string', 'number', 'integer', 'boolean'].includes(type ?? '')) throw new Undrawable()
  return { type, ...textsOf(merged, type), ...pick(merged, bounds), ...formatOf(merged) }
}

/** Properties and conditions of the value as a whole in another schema: `then`, for example, or the root. */
export function drawPart(schema: unknown, depth = 0): Schema {
  if (!isObject(schema)) return {}
  const { properties, required, allOf } = schema
  return {
    ...(isObject(properties) && { properties: drawProperties(properties, depth) }),
    ...(Array.isArray(required) && { required }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(part => drawPart(part, depth)) }),
    ...drawConditions(schema, depth),
  }
}

function drawConditions(schema: Schema, depth: number): Schema {
  const { if: condition, then: positive, else: negative, dependentRequired, dependentSchemas } = schema
  const dependencies = {
    ...(isObject(dependentRequired) && dependentRequired),
    ...(isObject(dependentSchemas) &&
      Object.fromEntries(
        Object.entries(dependentSchemas).map(([name, one]) => [name, drawPart(one, depth)]),
      )),
  }
  return {
    ...(condition !== undefined && {
      if: condition,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: drawPart(positive, depth),
      else: drawPart(negative, depth),
    }),
    // The library knows them by their older name.
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
  }
}

function drawProperties(properties: Schema, depth: number): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (isReservedName(name) || !isObject(property)) throw new Undrawable()
      return [name, drawSchema(property, depth + 1)]
    }),
  )
}

function drawObject(schema: Schema, depth: number): Schema {
  if (!isObject(schema.properties) || Object.keys(schema.properties).length === 0) throw new Undrawable()
  return { type: 'object', ...textsOf(schema, 'object'), ...drawPart({ ...schema, allOf: undefined }, depth) }
}

function drawArray(schema: Schema, depth: number): Schema {
  if (!isObject(schema.items) || schema.prefixItems !== undefined) throw new Undrawable()
  const items = drawSchema(schema.items, depth + 1)
  return {
    type: 'array',
    ...textsOf(schema, 'array'),
    items,
    ...pick(schema, ['maxItems']),
    ...(schema.uniqueItems === true &&
      Array.isArray(items.enum) &&
      items.enum.length > 0 && { uniqueItems: true }),
  }
}

function drawOptions(schema: Schema, options: readonly unknown[]): Schema {
  const type = typeOf(options[0])
  const alike = options.every(option => isScalar(option) && typeOf(option) === type)
  if (!alike || type === 'null' || options.length > maxOptions) throw new Undrawable()
  const texts = { type, ...textsOf(schema, type) }
  // A box that is ticked from the beginning would be no consent.
  if (type === 'boolean')
    return options.includes(false) ? texts : { ...texts, default: undefined, consent: true }
  return schema.const === undefined
    ? { ...texts, enum: [...new Set(options)] }
    : { ...texts, const: schema.const }
}

function drawChoice(schema: Schema, choices: readonly unknown[], depth: number): Schema {
  const others = choices.filter(choice => !(isObject(choice) && choice.type === 'null'))
  if (others.length === 0 || others.length > maxAlternatives) throw new Undrawable()
  const { oneOf, anyOf, ...rest } = schema
  if (oneOf && anyOf) throw new Undrawable()
  if (others.length === 1 && isObject(others[0])) return drawSchema({ ...rest, ...others[0] }, depth)
  const outer = typeof rest.type === 'string' ? { type: rest.type } : {}
  const drawn = others.map(choice => {
    if (!isObject(choice)) throw new Undrawable()
    const guessed = isObject(choice.properties) ? { type: 'object' } : {}
    return drawSchema({ ...outer, ...guessed, ...choice }, depth + 1)
  })
  const shared = isObject(rest.properties) ? drawObject({ ...rest, type: 'object' }, depth) : outer
  return { ...textsOf(rest), ...shared, [oneOf ? 'oneOf' : 'anyOf']: drawn }
}

/** Merges schemas that all apply, if no two of them define the same. */
function mergeAll(schema: Schema): Schema {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf)) return schema
  const merged: Record<string, unknown> = { ...own }
  for (const part of allOf) {
    if (!isObject(part)) throw new Undrawable()
    for (const [keyword, value] of Object.entries(mergeAll(part))) {
      const before = merged[keyword]
      if (before === undefined) merged[keyword] = value
      else if (keyword === 'properties' && isObject(before) && isObject(value)) {
        if (Object.keys(value).some(name => Object.hasOwn(before, name))) throw new Undrawable()
        merged.properties = { ...before, ...value }
      } else if (keyword === 'required' && Array.isArray(before) && Array.isArray(value)) {
        merged.required = [...new Set([...before, ...value])]
      } else if (keyword !== 'title' && keyword !== 'description' && before !== value) throw new Undrawable()
    }
  }
  return merged
}

function oneType({ type, properties, items }: Schema): string | undefined {
  if (typeof type === 'string') return type
  const others = Array.isArray(type) ? type.filter(one => one !== 'null') : []
  if (others.length === 1) return String(others[0])
  if (type === undefined && isObject(properties)) return 'object'
  return type === undefined && isObject(items) ? 'array' : undefined
}

const bounds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
]

/** Formats with an input of their own. Other formats must not name one: `hidden` would hide the field. */
const drawnFormats = new Set(['email', 'uri', 'date', 'date-time', 'password'])

const formatOf = ({ format }: Schema): Schema =>
  typeof format === 'string' && drawnFormats.has(format) ? { format } : {}

function textsOf(schema: Schema, type?: string): Schema {
  const { title, description, default: preset } = schema
  const fits =
    preset !== undefined && (type === undefined || typeOf(preset) === (type === 'integer' ? 'number' : type))
  return {
    ...(typeof title === 'string' && title.trim() && { title: clip(title, 200) }),
    ...(typeof description === 'string' && description.trim() && { description: clip(description, 2000) }),
    ...(fits && { default: preset }),
  }
}

const clip = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text)

const pick = (schema: Schema, keywords: readonly string[]): Schema =>
  Object.fromEntries(keywords.filter(name => schema[name] !== undefined).map(name => [name, schema[name]]))
