import { inPlaceKeywords } from './keywords.ts'
import { resolveReferences } from './references.ts'
import { readSchemaTree, type SchemaNode } from './schema-tree.ts'
import { reachable } from './secret-properties.ts'

/**
 * Whether a path leads to properties that a checked schema names: the first one in the `properties` of its root, as of field
 * values, and others also under conditions and references.
 */
export function hasProperty(schema: Readonly<Record<string, unknown>>) {
  const tree = readSchemaTree(schema)
  const { references } = resolveReferences(tree)
  const properties = (nodes: readonly SchemaNode[], name: string | undefined) =>
    nodes.flatMap(({ children }) =>
      children.filter(({ keyword, key }) => keyword === 'properties' && key === name).map(({ node }) => node),
    )
  return ([first, ...others]: readonly string[]): boolean =>
    others.reduce(
      (nodes, name) =>
        properties(
          reachable(nodes, references, keyword => inPlaceKeywords.has(keyword)),
          name,
        ),
      properties([tree.root], first),
    ).length > 0
}
