import { assertionKeywords, definitionKeywords, listKeywords, schemaKeywords } from './keywords.ts'
import { countSteps } from '../evaluate/step-keywords.ts'
import type { References } from './references.ts'
import type { SchemaNode, SchemaObject, SchemaTree } from './schema-tree.ts'

export interface PlainSchema {
  readonly definitions: Map<string, SchemaObject | boolean>
  /** How often each definition is referred to. For a property of the root, its own validation counts as well. */
  readonly referenceCounts: Map<string, number>
  readonly root: string
  readonly properties: Map<string, string>
  readonly required: string[]
  readonly unevaluated: boolean
}

/**
 * The same schema reduced to what the compiler cannot misread: keywords that decide validity, and references to
 * generated names such as `d12`. Leaves out the seller's identifiers, anchors and pointers, and keywords that have
 * a meaning only for the compiler.
 */
export function plainSchema({ root, nodes }: SchemaTree, references: References): PlainSchema {
  const properties = root.children.filter(child => child.keyword === 'properties')
  const names = new Map<SchemaNode, string>()
  const referenceCounts = new Map<string, number>()
  for (const { node } of properties) assignName(node)
  for (const targets of references.values()) for (const target of targets) assignName(target)
  assignName(root)
  return {
    definitions: new Map([...names].map(([node, name]) => [name, write(node)])),
    referenceCounts,
    root: String(names.get(root)),
    properties: new Map(properties.map(({ key, node }) => [String(key), referTo(node)])),
    required: (Object(root.schema).required as string[] | undefined) ?? [],
    unevaluated: nodes.some(node => node.children.some(({ keyword }) => keyword.startsWith('unevaluated'))),
  }

  function assignName(node: SchemaNode) {
    if (!names.has(node)) names.set(node, `d${names.size}`)
  }

  function referTo(node: SchemaNode): string {
    const name = String(names.get(node))
    referenceCounts.set(name, (referenceCounts.get(name) ?? 0) + 1)
    return name
  }

  function nested(node: SchemaNode): SchemaObject | boolean {
    return names.has(node) ? { $ref: referTo(node) } : write(node)
  }

  function write(node: SchemaNode): SchemaObject | boolean {
    if (typeof node.schema === 'boolean') return node.schema
    const plain: SchemaObject = {}
    for (const keyword of assertionKeywords) {
      if (Object.hasOwn(node.schema, keyword)) plain[keyword] = node.schema[keyword]
    }
    for (const { keyword, key, node: child } of node.children) {
      if (definitionKeywords.has(keyword)) continue
      if (schemaKeywords.includes(keyword)) plain[keyword] = nested(child)
      else if (listKeywords.includes(keyword)) listAt(plain, keyword).push(nested(child))
      else mapAt(plain, keyword)[String(key)] = nested(child)
    }
    for (const dependency of dependentSchemas(node.schema)) listAt(plain, 'allOf').push(dependency)
    // If a schema has both $ref and $dynamicRef, both apply.
    const [first, ...others] = references.get(node) ?? []
    if (first) plain.$ref = referTo(first)
    for (const other of others) listAt(plain, 'allOf').push(nested(other))
    return countSteps(plain)
  }
}

/**
 * Rewrites `dependentRequired` and the lists of names in `dependencies` as `dependentSchemas`, because ajv ignores
 * the empty name in such lists.
 */
function dependentSchemas(schema: SchemaObject): SchemaObject[] {
  const lists = [schema.dependentRequired, schema.dependencies].flatMap(map => Object.entries(map ?? {}))
  return lists
    .filter(([, required]) => Array.isArray(required))
    .map(([name, required]) => ({ dependentSchemas: { [name]: countSteps({ required }) } }))
}

function listAt(plain: SchemaObject, keyword: string): unknown[] {
  plain[keyword] ??= []
  return plain[keyword] as unknown[]
}

function mapAt(plain: SchemaObject, keyword: string): SchemaObject {
  plain[keyword] ??= {}
  return plain[keyword] as SchemaObject
}
