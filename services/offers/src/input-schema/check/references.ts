import { fromPointer, toPointer } from '../json-pointer.ts'
import { referenceKeywords } from './keywords.ts'
import { type Problem, problem } from '../problem.ts'
import type { SchemaNode, SchemaTree } from './schema-tree.ts'

export type References = Map<SchemaNode, SchemaNode[]>

/**
 * Resolves every reference to a schema of the same document. Only own keys count (`#/constructor` is not a schema).
 *
 * `$dynamicRef` is read as `$ref`: a dynamic anchor is looked up in the resources through which evaluation has passed, and
 * without `$id` this is the only one.
 */
export function resolveReferences(tree: SchemaTree): { references: References; problems: Problem[] } {
  const problems: Problem[] = []
  const anchors = readAnchors(tree, problems)
  const references: References = new Map()
  for (const node of tree.nodes) {
    if (typeof node.schema === 'boolean') continue
    for (const keyword of referenceKeywords) {
      if (!Object.hasOwn(node.schema, keyword)) continue
      const target = resolve(node.schema[keyword] as string)
      if (typeof target === 'string') problems.push(problem([...node.path, keyword], target))
      else references.set(node, [...(references.get(node) ?? []), target])
    }
  }
  return { references, problems }

  function resolve(reference: string): SchemaNode | string {
    if (!reference.startsWith('#')) return 'must be local, as in #/$defs/name: nothing is fetched'
    let fragment: string
    try {
      fragment = decodeURIComponent(reference.slice(1))
    } catch {
      return 'must be percent-encoded: write % as %25'
    }
    const isPointer = fragment === '' || fragment.startsWith('/')
    const target = isPointer ? tree.byPointer.get(toPointer(fromPointer(fragment))) : anchors.get(fragment)
    return target ?? 'must point to a schema in this document'
  }
}

function readAnchors({ nodes }: SchemaTree, problems: Problem[]): Map<string, SchemaNode> {
  const anchors = new Map<string, SchemaNode>()
  for (const node of nodes) {
    if (typeof node.schema === 'boolean') continue
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (!Object.hasOwn(node.schema, keyword)) continue
      const name = node.schema[keyword] as string
      const other = anchors.get(name)
      if (other && other !== node)
        problems.push(problem([...node.path, keyword], 'must be unique in the document'))
      anchors.set(name, node)
    }
  }
  return anchors
}
