import { toPointer } from '../json-pointer.ts'
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from './keywords.ts'

export type SchemaObject = { [keyword: string]: unknown }

/** A place of the document that holds a schema. */
export type SchemaNode = { schema: SchemaObject | boolean; path: string[]; children: SchemaChild[] }

export type SchemaChild = { keyword: string; key?: string; node: SchemaNode }

export type SchemaTree = { root: SchemaNode; nodes: SchemaNode[]; byPointer: Map<string, SchemaNode> }

/**
 * Every schema of a document that obeys the meta schema: what stands in `enum`, `const`, `default` or an unknown
 * keyword is data, however much it looks like a schema.
 */
export function readSchemaTree(document: SchemaObject): SchemaTree {
  const nodes: SchemaNode[] = []
  const byPointer = new Map<string, SchemaNode>()
  return { root: read(document, []), nodes, byPointer }

  function read(schema: SchemaObject | boolean, path: string[]): SchemaNode {
    const node: SchemaNode = { schema, path, children: [] }
    nodes.push(node)
    byPointer.set(toPointer(path), node)
    if (typeof schema === 'boolean') return node
    const add = (value: unknown, keyword: string, key?: string) => {
      const at = key === undefined ? [...path, keyword] : [...path, keyword, key]
      node.children.push({ keyword, key, node: read(value as SchemaObject | boolean, at) })
    }
    for (const keyword of SCHEMA_KEYWORDS) {
      if (Object.hasOwn(schema, keyword)) add(schema[keyword], keyword)
    }
    for (const keyword of LIST_KEYWORDS) {
      if (!Object.hasOwn(schema, keyword)) continue
      for (const [index, item] of (schema[keyword] as unknown[]).entries()) add(item, keyword, String(index))
    }
    for (const keyword of MAP_KEYWORDS) {
      if (!Object.hasOwn(schema, keyword)) continue
      for (const [key, item] of Object.entries(schema[keyword] as SchemaObject)) {
        if (!Array.isArray(item)) add(item, keyword, key)
      }
    }
    return node
  }
}
