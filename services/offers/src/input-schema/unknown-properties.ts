import { list, type Problem, problem } from './problem.ts'

export function unknownProperties(names: string[], properties: Set<string>): Problem[] {
  const unknown = names.filter(name => !properties.has(name))
  if (unknown.length === 0) return []
  const message =
    properties.size > 0
      ? `unknown property; known properties: ${list(properties)}`
      : 'unknown property; the schema defines none'
  return unknown.map(name => ({ ...problem([name], message), unknown: true }))
}
