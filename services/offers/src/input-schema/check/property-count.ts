import { type Problem, problem } from '../problem.ts'
import type { SchemaTree } from './schema-tree.ts'

export const maxProperties = 200

const countedKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

export function propertyCountProblems({ nodes }: SchemaTree): Problem[] {
  let count = 0
  for (const { children } of nodes) {
    for (const { keyword } of children) if (countedKeywords.has(keyword)) count++
  }
  if (count <= maxProperties) return []
  const where = 'properties, patternProperties and $defs'
  return [problem([], `must have at most ${maxProperties} names under ${where}, and has ${count}`)]
}
