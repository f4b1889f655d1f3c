import { type Problem, problem } from '../problem.ts'

export const MAX_DEPTH = 16

/**
 * Objects and arrays nested at most `MAX_DEPTH` deep (the document itself is the first level), and no key
 * `__proto__` at any depth. Walks with a list of its own: the document may nest deeper than the stack is.
 */
export function documentLimits(document: unknown): Problem[] {
  const open: { value: unknown; path: string[] }[] = [{ value: document, path: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next
    if (typeof value !== 'object' || value === null) continue
    if (path.length >= MAX_DEPTH) {
      return [problem(path, `is nested too deeply: objects and arrays may nest ${MAX_DEPTH} levels`)]
    }
    if (Object.hasOwn(value, '__proto__')) {
      return [problem([...path, '__proto__'], 'must not be used as a name: choose another one')]
    }
    for (const [key, item] of Object.entries(value)) open.push({ value: item, path: [...path, key] })
  }
  return []
}
