import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** What a thread works on: a schema for a workspace, or values that it sent. */
export type Suspect = {
  workspace: string
  hash: string
  /** JSON of the values, where they are what is evaluated. */
  valuesText?: string
}

/** What threads were working on when they were lost. */
export type Blame = {
  has(suspect: Suspect): boolean
  add(suspect: Suspect): void
}

/** For the log, which names no value. */
export type TooExpensiveEvent = {
  /** Whose schema or values they are. */
  workspace: string
  schema_hash: string
  /** Unless the schema is about to be published. */
  package_version_id: string | undefined
  what: 'schema' | 'values'
  /** `time` and `crash`: the thread had to be replaced. */
  why: 'steps' | 'time' | 'crash'
}

const BLAMED_MS = 60_000
export const MAX_BLAMED = 10_000

/**
 * Only the workspace is blamed, and only the specific values if values caused it: others may publish the same
 * schema, and it may work for other values. Forgotten after a minute: on a busy machine anything can be late
 * once.
 */
export function createBlame(now: () => number): Blame {
  const blamed = new LRUCache<string, true>({
    max: MAX_BLAMED,
    ttl: BLAMED_MS,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    has: suspect => blamed.size > 0 && blamed.has(nameOf(suspect)),
    add: suspect => blamed.set(nameOf(suspect), true),
  }
}

function nameOf({ workspace, hash, valuesText }: Suspect): string {
  const values = valuesText === undefined ? '' : createHash('sha256').update(valuesText).digest('hex')
  return `${workspace} ${hash} ${values}`
}
