import { isObject, type Schema, typeOf } from './json-value.ts'

/**
 * An optional object is omitted while nothing was entered in it: its defaults are shown, but do not make its
 * required properties required. A required object is always included, so that missing properties are reported.
 */
export function settleValues(schema: Schema, values: Record<string, unknown>): Record<string, unknown> {
  const settled = { ...values }
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue
    // A box that is not ticked is an answer, unless it has to be ticked.
    if (property.type === 'boolean' && required.includes(name) && !property.consent) settled[name] ??= false
    const value = settled[name]
    if (property.type === 'object' && isObject(property.properties)) {
      if (isObject(value)) settled[name] = settleValues(property, value)
      else if (value === undefined && required.includes(name)) settled[name] = settleValues(property, {})
    }
    if (Array.isArray(value) && isObject(property.items)) {
      const { items } = property
      settled[name] = value.map(item => (isObject(item) ? settleValues(items, item) : item))
    }
    const isEmptyList = Array.isArray(value) && value.length === 0 && property.default === undefined
    if (isEmptyList && !required.includes(name)) delete settled[name]
    if (!required.includes(name) && isObject(settled[name]) && !isEntered(property, settled[name]))
      delete settled[name]
  }
  return settled
}

function isEntered(schema: Schema, value: unknown): boolean {
  if (value === undefined) return false
  if (value === false && schema.default === undefined) return false
  if (!isObject(value)) return value !== schema.default && value !== schema.const
  if (typeOf(schema.default) === 'object') return true
  const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray) ?? []
  const sources = [schema, ...alternatives].map(source =>
    isObject(source) && isObject(source.properties) ? source.properties : {},
  )
  return Object.entries(value).some(([name, inside]) =>
    sources.every(properties => {
      const property = Object.hasOwn(properties, name) ? properties[name] : {}
      return isEntered(isObject(property) ? property : {}, inside)
    }),
  )
}
