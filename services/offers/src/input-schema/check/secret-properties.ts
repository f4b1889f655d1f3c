import { IN_PLACE } from './keywords.ts'
import type { References } from './references.ts'
import type { SchemaNode } from './schema-tree.ts'

/**
 * The names of the root's properties in whose values something may be of `format: password`, wherever in them it stands and
 * whatever decides whether it applies. Patterns of names are not run: what stands under one may be any property.
 */
export function secretProperties(root: SchemaNode, references: References): string[] {
  const ofRoot = reach([root], references, keyword => IN_PLACE.has(keyword)).flatMap(node => node.children)
  const names = new Set(root.children.filter(isProperty).map(({ key }) => String(key)))
  const holdsSecret = (nodes: SchemaNode[]) => reach(nodes, references, () => true).some(isPassword)
  const underAnyName = ofRoot.filter(({ keyword }) => anyName.has(keyword)).map(({ node }) => node)
  if (holdsSecret(underAnyName)) return [...names]
  return [...names].filter(name =>
    holdsSecret(ofRoot.filter(child => isProperty(child) && child.key === name).map(({ node }) => node)),
  )
}

const anyName = new Set(['patternProperties', 'additionalProperties', 'unevaluatedProperties'])
const isProperty = ({ keyword }: { keyword: string }) => keyword === 'properties'
const isPassword = ({ schema }: SchemaNode) => Object(schema).format === 'password'

/** These, and what they lead to by references and by the keywords that are followed. */
function reach(
  from: SchemaNode[],
  references: References,
  follows: (keyword: string) => boolean,
): SchemaNode[] {
  const found = new Set(from)
  // A set is walked with what is added on the way, and takes nothing twice: circles of references end.
  for (const node of found) {
    for (const target of references.get(node) ?? []) found.add(target)
    for (const { keyword, node: child } of node.children) if (follows(keyword)) found.add(child)
  }
  return [...found]
}
