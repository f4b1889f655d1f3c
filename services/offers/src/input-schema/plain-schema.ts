import { fullFormats } from 'ajv-formats/dist/formats.js'
import { ASSERTIONS, DEFINITIONS, LIST_KEYWORDS, SCHEMA_KEYWORDS } from './keywords.ts'
import type { References } from './references.ts'
import type { SchemaNode, SchemaObject, SchemaTree } from './schema-tree.ts'

/** A schema for the compiler, and where in it each property of the root stands. */
export type PlainSchema = { document: SchemaObject; properties: Map<string, string> }

/**
 * The same schema with nothing in it to misread: keywords that decide validity, and references of the form
 * `#/$defs/d12` to names made up here. The seller's identifiers, anchors and pointers, and keywords that mean
 * something to the compiler alone, stay behind.
 */
export function plainSchema({ root }: SchemaTree, references: References): PlainSchema {
  const properties = root.children.filter(child => child.keyword === 'properties')
  const places = new Map<SchemaNode, string>()
  const place = (node: SchemaNode) => {
    if (!places.has(node)) places.set(node, `d${places.size}`)
    return `#/$defs/${places.get(node)}`
  }
  for (const { node } of properties) place(node)
  for (const targets of references.values()) for (const target of targets) place(target)

  const definitions: SchemaObject = {}
  for (const [node, name] of places) definitions[name] = written(node)
  return {
    document: { $defs: definitions },
    properties: new Map(properties.map(({ key, node }) => [key ?? '', place(node)])),
  }

  function nested(node: SchemaNode): SchemaObject | boolean {
    return places.has(node) ? { $ref: place(node) } : written(node)
  }

  function written({ schema, children, ...node }: SchemaNode, self = { schema, children, ...node }) {
    if (typeof schema === 'boolean') return schema
    const plain: SchemaObject = {}
    for (const keyword of ASSERTIONS) {
      if (Object.hasOwn(schema, keyword) && !isAnnotation(keyword, schema[keyword])) plain[keyword] = schema[keyword]
    }
    return plain
  }
}
