import { type Problem, problem } from './problem.ts'
import type { SchemaObject } from './schema-tree.ts'

/** The document as a schema of an object with `properties`, or what keeps it from being one. */
export function rootSchema(
  document: unknown,
): { root: SchemaObject; problems?: undefined } | { problems: Problem[] } {
  if (!isObject(document)) return { problems: [problem([], 'must be a JSON Schema object')] }
  const problems: Problem[] = []
  if (Object.hasOwn(document, 'type') && document.type !== 'object') {
    problems.push(problem(['type'], "must be 'object', or be left out: field values are an object"))
  }
  if (!Object.hasOwn(document, 'properties')) {
    problems.push(problem(['properties'], 'is required: name at least the properties that may be pre-filled'))
  } else if (!isObject(document.properties)) {
    problems.push(problem(['properties'], 'must be an object that maps names to schemas'))
  }
  return problems.length > 0 ? { problems } : { root: document }
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
