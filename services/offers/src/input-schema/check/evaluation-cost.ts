import { IN_PLACE, REFERENCES } from './keywords.ts'
import { type Problem, problem } from '../problem.ts'
import type { References } from './references.ts'
import type { SchemaNode, SchemaTree } from './schema-tree.ts'

/** How many schemas one value may be held against, when every alternative is tried. */
export const MAX_EVALUATIONS = 20_000

/**
 * Refuses schemas whose evaluation would never end or be exponential, whatever the value: circular references
 * that never descend into the value, and alternatives that double at each reference.
 */
export function evaluationProblems({ nodes }: SchemaTree, references: References): Problem[] {
  const next = new Map(nodes.map(node => [node, inPlace(node, references)]))
  const cost = costs(nodes, next)
  const circular = nodes.find(node => !cost.has(node))
  if (circular) {
    const at = inCircle(circular, next, cost, references)
    const keyword = REFERENCES.find(name => Object.hasOwn(Object(at.schema), name)) ?? '$ref'
    return [problem([...at.path, keyword], 'must not refer back to itself without descending into the value')]
  }
  const heavy = nodes.find(node => (cost.get(node) ?? 0) > MAX_EVALUATIONS)
  if (!heavy) return []
  const advice = 'combine fewer alternatives and references'
  return [
    problem(
      heavy.path,
      `is too expensive to evaluate: one value is checked against more than ${MAX_EVALUATIONS} schemas; ${advice}`,
    ),
  ]
}

function inPlace(node: SchemaNode, references: References): SchemaNode[] {
  const nested = node.children.filter(child => IN_PLACE.has(child.keyword)).map(child => child.node)
  return [...nested, ...(references.get(node) ?? [])]
}

/** Costs from the leaves up; a node on a circle, or that leads to one, gets none. Chains may be thousands long. */
function costs(nodes: SchemaNode[], next: Map<SchemaNode, SchemaNode[]>): Map<SchemaNode, number> {
  const cost = new Map<SchemaNode, number>()
  const users = new Map<SchemaNode, SchemaNode[]>(nodes.map(node => [node, []]))
  const open = new Map<SchemaNode, { missing: number; sum: number }>()
  const ready: SchemaNode[] = []
  for (const [node, targets] of next) {
    for (const target of targets) users.get(target)?.push(node)
    open.set(node, { missing: targets.length, sum: 1 })
    if (targets.length === 0) ready.push(node)
  }
  for (let node = ready.pop(); node; node = ready.pop()) {
    const own = open.get(node)?.sum ?? 1
    cost.set(node, own)
    for (const user of users.get(node) ?? []) {
      const state = open.get(user)
      if (!state) continue
      state.sum += own
      if (--state.missing === 0) ready.push(user)
    }
  }
  return cost
}

/** A node with a reference that lies on the circle itself: every circle has one, nesting alone makes none. */
function inCircle(
  from: SchemaNode,
  next: Map<SchemaNode, SchemaNode[]>,
  cost: Map<SchemaNode, number>,
  references: References,
): SchemaNode {
  const seen = new Set<SchemaNode>()
  let node = from
  while (!seen.has(node)) {
    seen.add(node)
    node = next.get(node)?.find(target => !cost.has(target)) ?? node
  }
  const circle: SchemaNode[] = []
  for (; !circle.includes(node); node = next.get(node)?.find(target => !cost.has(target)) ?? node)
    circle.push(node)
  return circle.find(member => references.has(member)) ?? from
}
