import { type Problem, problem } from '../problem.ts'
import type { SchemaTree } from './schema-tree.ts'

export const MAX_PROPERTIES = 200

const COUNTED = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

/** At most `MAX_PROPERTIES` names that map to schemas, over the whole document. */
export function propertyCountProblems({ nodes }: SchemaTree): Problem[] {
  let count = 0
  for (const { children } of nodes) {
    for (const { keyword } of children) if (COUNTED.has(keyword)) count++
  }
  if (count <= MAX_PROPERTIES) return []
  const where = 'properties, patternProperties and $defs'
  return [problem([], `must have at most ${MAX_PROPERTIES} names under ${where}, and has ${count}`)]
}
