// Everything that a request or an answer may contain says what it means.
import { expect, test } from 'vitest'
import { openApiDocument } from '../src/openapi/document.ts'

interface Schema {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
interface Described {
  readonly where: string
  readonly description: string | undefined
}

const document = openApiDocument()
const found = [...propertiesIn(document), ...parametersIn(document)]
const undescribed = found.filter(({ description }) => !description?.trim()).map(({ where }) => where)

test('every property and parameter of the document has a description', () => {
  expect(found.length).toBeGreaterThan(400)
  expect(undescribed).toEqual([])
})

test('no description only repeats the name', () => {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]|^the /g, '')
  const empty = found.filter(
    ({ where, description = '' }) => plain(description) === plain(where.split('.').at(-1) ?? ''),
  )
  expect(empty).toEqual([])
})

test('descriptions are sentences', () => {
  const odd = found.filter(({ description = '' }) => !/^[\p{Lu}`].*[.…]$/su.test(description))
  expect(odd).toEqual([])
})

/** Wherever there is a schema: of components, bodies, answers and webhooks. */
function propertiesIn(node: unknown, path = ''): Described[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const at = `${path}/${key}`
    if (key === 'examples' || key === 'example') return []
    if (key === 'schema' || path === '/components/schemas') return propertiesOf(value, at)
    return propertiesIn(value, at)
  })
}

function propertiesOf(schema: Schema, where: string): Described[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    { where: `${where}.${name}`, description: property.description },
    ...propertiesOf(property, `${where}.${name}`),
  ])
  const { items, additionalProperties: values, anyOf = [], oneOf = [], allOf = [] } = schema
  const parts = [
    ...anyOf,
    ...oneOf,
    ...allOf,
    ...(items ? [items] : []),
    ...(isSchema(values) ? [values] : []),
  ]
  return [...own, ...parts.flatMap(part => propertiesOf(part, where))]
}

function isSchema(values: Schema | boolean | undefined): values is Schema {
  return typeof values === 'object'
}

function parametersIn(node: unknown, path = ''): Described[] {
  if (typeof node !== 'object' || node === null) return []
  const { in: location, name, description } = node as { in?: string; name?: string; description?: string }
  if (location && name) return [{ where: `${path}: ${location} parameter ${name}`, description }]
  return Object.entries(node).flatMap(([key, value]) =>
    key.startsWith('example') ? [] : parametersIn(value, `${path}/${key}`),
  )
}
