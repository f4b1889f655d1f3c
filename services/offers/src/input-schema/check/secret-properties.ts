import { inPlaceKeywords } from './keywords.ts'
import type { References } from './references.ts'
import type { SchemaNode } from './schema-tree.ts'

/**
 * The names of the root's properties whose values may contain something of `format: password`, at any depth and under any
 * condition. Name patterns are not evaluated: a schema under one may apply to every property.
 */
export function secretProperties(root: SchemaNode, references: References): string[] {
  const ofRoot = reachable([root], references, keyword => inPlaceKeywords.has(keyword)).flatMap(
    node => node.children,
  )
  const names = new Set(root.children.filter(isProperty).map(({ key }) => String(key)))
  const holdsSecret = (nodes: SchemaNode[]) => reachable(nodes, references, () => true).some(isPassword)
  const underAnyName = ofRoot.filter(({ keyword }) => anyNameKeywords.has(keyword)).map(({ node }) => node)
  if (holdsSecret(underAnyName)) return [...names]
  return [...names].filter(name =>
    holdsSecret(ofRoot.filter(child => isProperty(child) && child.key === name).map(({ node }) => node)),
  )
}

const anyNameKeywords = new Set(['patternProperties', 'additionalProperties', 'unevaluatedProperties'])
const isProperty = ({ keyword }: { keyword: string }) => keyword === 'properties'
const isPassword = ({ schema }: SchemaNode) => Object(schema).format === 'password'

/** These nodes, and all that references and the given keywords lead to. */
export function reachable(
  from: SchemaNode[],
  references: References,
  follows: (keyword: string) => boolean,
): SchemaNode[] {
  const found = new Set(from)
  // Iterating a set includes what is added on the way, and nothing is added twice, so cycles of references end.
  for (const node of found) {
    for (const target of references.get(node) ?? []) found.add(target)
    for (const { keyword, node: child } of node.children) if (follows(keyword)) found.add(child)
  }
  return [...found]
}
