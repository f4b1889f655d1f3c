import { ASSERTIONS, DEFINITIONS, LIST_KEYWORDS, SCHEMA_KEYWORDS } from './keywords.ts'
import { countSteps } from '../evaluate/step-keywords.ts'
import type { References } from './references.ts'
import type { SchemaNode, SchemaObject, SchemaTree } from './schema-tree.ts'

export type PlainSchema = {
  /** By the name that references have for it. */
  definitions: Map<string, SchemaObject | boolean>
  /** How many ways lead to a definition: references, and for a property that it is asked for by itself. */
  ways: Map<string, number>
  /** The name of the root. */
  whole: string
  /** The name of each property of the root. */
  properties: Map<string, string>
  /** Names that the root requires. */
  required: string[]
  /** Whether a keyword asks what others left unevaluated. */
  unevaluated: boolean
}

/**
 * The same schema with nothing in it to misread: keywords that decide validity, and references to
 * names made up here, as `d12`. The seller's identifiers, anchors and pointers, and keywords that mean
 * something to the compiler alone, stay behind.
 */
export function plainSchema({ root, nodes }: SchemaTree, references: References): PlainSchema {
  const properties = root.children.filter(child => child.keyword === 'properties')
  const names = new Map<SchemaNode, string>()
  const ways = new Map<string, number>()
  for (const { node } of properties) assignName(node)
  for (const targets of references.values()) for (const target of targets) assignName(target)
  assignName(root)
  return {
    definitions: new Map([...names].map(([node, name]) => [name, write(node)])),
    ways,
    whole: String(names.get(root)),
    properties: new Map(properties.map(({ key, node }) => [String(key), refer(node)])),
    required: (Object(root.schema).required as string[] | undefined) ?? [],
    unevaluated: nodes.some(node => node.children.some(({ keyword }) => keyword.startsWith('unevaluated'))),
  }

  function assignName(node: SchemaNode) {
    if (!names.has(node)) names.set(node, `d${names.size}`)
  }

  function refer(node: SchemaNode): string {
    const name = String(names.get(node))
    ways.set(name, (ways.get(name) ?? 0) + 1)
    return name
  }

  function nested(node: SchemaNode): SchemaObject | boolean {
    return names.has(node) ? { $ref: refer(node) } : write(node)
  }

  function write(node: SchemaNode): SchemaObject | boolean {
    if (typeof node.schema === 'boolean') return node.schema
    const plain: SchemaObject = {}
    for (const keyword of ASSERTIONS) {
      if (Object.hasOwn(node.schema, keyword)) plain[keyword] = node.schema[keyword]
    }
    for (const { keyword, key, node: child } of node.children) {
      if (DEFINITIONS.has(keyword)) continue
      if (SCHEMA_KEYWORDS.includes(keyword)) plain[keyword] = nested(child)
      else if (LIST_KEYWORDS.includes(keyword)) listed(plain, keyword).push(nested(child))
      else mapped(plain, keyword)[String(key)] = nested(child)
    }
    for (const dependency of requiredTogether(node.schema)) listed(plain, 'allOf').push(dependency)
    // Both of $ref and $dynamicRef at one place: both hold.
    const [first, ...others] = references.get(node) ?? []
    if (first) plain.$ref = refer(first)
    for (const other of others) listed(plain, 'allOf').push(nested(other))
    return countSteps(plain)
  }
}

/**
 * `dependentRequired`, and the lists of names in `dependencies`, as `dependentSchemas`: of names that are required
 * together ajv misses the empty one.
 */
function requiredTogether(schema: SchemaObject): SchemaObject[] {
  const lists = [schema.dependentRequired, schema.dependencies].flatMap(map => Object.entries(map ?? {}))
  return lists
    .filter(([, required]) => Array.isArray(required))
    .map(([name, required]) => ({ dependentSchemas: { [name]: countSteps({ required }) } }))
}

function listed(plain: SchemaObject, keyword: string): unknown[] {
  plain[keyword] ??= []
  return plain[keyword] as unknown[]
}

function mapped(plain: SchemaObject, keyword: string): SchemaObject {
  plain[keyword] ??= {}
  return plain[keyword] as SchemaObject
}
