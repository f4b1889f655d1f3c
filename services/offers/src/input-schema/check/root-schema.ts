import { type Problem, problem } from '../problem.ts'
import type { SchemaObject } from './schema-tree.ts'

/** The document must describe an object and have `properties`, which define the names of field values. */
export function rootProblems(document: unknown): Problem[] {
  if (!isObject(document)) return [problem([], 'must be a JSON Schema object')]
  const problems: Problem[] = []
  if (Object.hasOwn(document, 'type') && document.type !== 'object') {
    problems.push(problem(['type'], "must be 'object', or be left out: field values are an object"))
  }
  if (!Object.hasOwn(document, 'properties')) {
    problems.push(problem(['properties'], 'is required: it lists the fields that can be filled in'))
  } else if (!isObject(document.properties)) {
    problems.push(problem(['properties'], 'must be an object that maps names to schemas'))
  }
  return problems
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
