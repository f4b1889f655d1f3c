import { inPlaceKeywords, referenceKeywords } from './keywords.ts'
import { type Problem, problem } from '../problem.ts'
import type { References } from './references.ts'
import type { SchemaNode, SchemaTree } from './schema-tree.ts'

/** How many schemas one value may be checked against when every alternative is tried. */
export const maxEvaluations = 20_000

/**
 * Refuses schemas whose evaluation would never end or take exponential time: cycles of references that never
 * descend into the value, and alternatives that double at each reference.
 */
export function evaluationProblems({ nodes }: SchemaTree, references: References): Problem[] {
  const targets = new Map(nodes.map(node => [node, inPlace(node, references)]))
  const cost = costs(nodes, targets)
  const circular = nodes.find(node => !cost.has(node))
  if (circular) {
    const at = referenceOnCycle(circular, targets, cost, references)
    const keyword = referenceKeywords.find(name => Object.hasOwn(Object(at.schema), name)) ?? '$ref'
    return [problem([...at.path, keyword], 'must not refer back to itself without descending into the value')]
  }
  const heavy = nodes.find(node => (cost.get(node) ?? 0) > maxEvaluations)
  if (!heavy) return []
  const advice = 'combine fewer alternatives and references'
  return [
    problem(
      heavy.path,
      `is too expensive to evaluate: one value is checked against more than ${maxEvaluations} schemas; ${advice}`,
    ),
  ]
}

function inPlace(node: SchemaNode, references: References): SchemaNode[] {
  const nested = node.children.filter(child => inPlaceKeywords.has(child.keyword)).map(child => child.node)
  return [...nested, ...(references.get(node) ?? [])]
}

/**
 * The cost of each node, from the leaves up. A node that is on a cycle or leads to one gets none. Not recursive, since chains
 * may be thousands of nodes long.
 */
function costs(nodes: SchemaNode[], targets: Map<SchemaNode, SchemaNode[]>): Map<SchemaNode, number> {
  const cost = new Map<SchemaNode, number>()
  const referrers = new Map<SchemaNode, SchemaNode[]>(nodes.map(node => [node, []]))
  const pending = new Map<SchemaNode, { missing: number; sum: number }>()
  const ready: SchemaNode[] = []
  for (const [node, own] of targets) {
    for (const target of own) referrers.get(target)?.push(node)
    pending.set(node, { missing: own.length, sum: 1 })
    if (own.length === 0) ready.push(node)
  }
  for (let node = ready.pop(); node; node = ready.pop()) {
    const own = pending.get(node)?.sum ?? 1
    cost.set(node, own)
    for (const referrer of referrers.get(node) ?? []) {
      const state = pending.get(referrer)
      if (!state) continue
      state.sum += own
      if (--state.missing === 0) ready.push(referrer)
    }
  }
  return cost
}

/** A node on the cycle itself that has a reference. Every cycle has one, since nesting alone cannot form a cycle. */
function referenceOnCycle(
  from: SchemaNode,
  targets: Map<SchemaNode, SchemaNode[]>,
  cost: Map<SchemaNode, number>,
  references: References,
): SchemaNode {
  const seen = new Set<SchemaNode>()
  let node = from
  while (!seen.has(node)) {
    seen.add(node)
    node = targets.get(node)?.find(target => !cost.has(target)) ?? node
  }
  const cycle: SchemaNode[] = []
  for (; !cycle.includes(node); node = targets.get(node)?.find(target => !cost.has(target)) ?? node)
    cycle.push(node)
  return cycle.find(member => references.has(member)) ?? from
}
