import { toPointer } from '../json-pointer.ts'
import { listKeywords, mapKeywords, schemaKeywords } from './keywords.ts'

export type SchemaObject = Record<string, unknown>

export interface SchemaNode {
  readonly schema: SchemaObject | boolean
  readonly path: string[]
  readonly children: SchemaChild[]
}

export interface SchemaChild {
  readonly keyword: string
  readonly key?: string
  readonly node: SchemaNode
}

export interface SchemaTree {
  readonly root: SchemaNode
  readonly nodes: SchemaNode[]
  readonly byPointer: Map<string, SchemaNode>
}

/**
 * Finds every schema in a document that is valid against the meta schema. What is in `enum`, `const`, `default` or an unknown
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
    for (const keyword of schemaKeywords) {
      if (Object.hasOwn(schema, keyword)) add(schema[keyword], keyword)
    }
    for (const keyword of listKeywords) {
      if (!Object.hasOwn(schema, keyword)) continue
      for (const [index, item] of (schema[keyword] as unknown[]).entries()) add(item, keyword, String(index))
    }
    for (const keyword of mapKeywords) {
      if (!Object.hasOwn(schema, keyword)) continue
      for (const [key, item] of Object.entries(schema[keyword] as SchemaObject)) {
        if (!Array.isArray(item)) add(item, keyword, key)
      }
    }
    return node
  }
}
