/** A statement with its parameters, out of PostgreSQL's log. */

export interface SentStatement {
  readonly text: string
  /** As text; null is null. */
  readonly parameters: readonly (string | null)[]
}

/** @returns the latest statement of that name (docs/inside/database.md) */
export function statementIn(log: readonly string[], name: string): SentStatement | undefined {
  // A tab begins each further line of an entry.
  const entries = log.join('\n').replaceAll('\n\t', '\t').split('\n')
  const at = entries.findLastIndex(entry => entry.includes(`: /* ${name} */`))
  const text = entries[at]?.replace(/^.*?LOG: {2}execute [^:]*: /, '').replaceAll('\t', '\n')
  if (text === undefined) return undefined
  const [, list = ''] = /DETAIL: {2}parameters: (.*)/i.exec(entries[at + 1] ?? '') ?? []
  return { text, parameters: [...list.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g)].map(textOf) }
}

const textOf = ([, quoted]: RegExpExecArray) => quoted?.replaceAll("''", "'") ?? null
