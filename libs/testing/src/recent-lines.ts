// What the processes of a test said last, for the report of its failure.

type Lines = () => readonly string[]

/**
 * Every stack of this file that is up, by the lines that its processes have written. One set for this process: tests load
 * this module as built, and vitest's setup loads it as it is written.
 */
const sources = sourcesOf(globalThis)

function sourcesOf(realm: { [key: symbol]: Set<Lines> | undefined }): Set<Lines> {
  const key = Symbol.for('svc.test.lines')
  realm[key] ??= new Set()
  return realm[key]
}

const shown = 30

/** Shows the lines of a stack with failures, until the function that is returned is called. */
export function showOnFailure(lines: Lines): () => void {
  sources.add(lines)
  return () => sources.delete(lines)
}

/** The last lines of each stack that is up. */
export function recentLines(): string {
  return [...sources]
    .map(lines => lines().slice(-shown))
    .filter(lines => lines.length > 0)
    .map(lines => `The last ${lines.length} lines of the processes:\n${lines.map(cut).join('\n')}`)
    .join('\n\n')
}

const cut = (line: string) => (line.length > 1_000 ? `${line.slice(0, 1_000)} …` : line)
