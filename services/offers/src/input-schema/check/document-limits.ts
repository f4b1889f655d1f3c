import { type Problem, problem } from '../problem.ts'

export const maxDepth = 16

/**
 * Not recursive, since the document may be nested deeper than the stack allows. The document itself is the first
 * level.
 */
export function documentLimits(document: unknown): Problem[] {
  const pending: { value: unknown; path: string[] }[] = [{ value: document, path: [] }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next
    if (typeof value !== 'object' || value === null) continue
    if (path.length >= maxDepth) {
      return [problem(path, `is nested too deeply: objects and arrays may nest ${maxDepth} levels`)]
    }
    if (Object.hasOwn(value, '__proto__')) {
      return [problem([...path, '__proto__'], 'must not be used as a name: choose another one')]
    }
    for (const [key, item] of Object.entries(value)) pending.push({ value: item, path: [...path, key] })
  }
  return []
}
