import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** What a thread was working on: a schema for a workspace, or values that the workspace sent. */
export interface Suspect {
  readonly workspace: string
  readonly hash: string
  /** JSON of the values, if values were being validated. */
  readonly valuesText?: string
}

/** Remembers what threads were working on when they were lost. */
export interface Blame {
  has(suspect: Suspect): boolean
  add(suspect: Suspect): void
}

/** For the log. Contains no values. */
export interface TooExpensiveEvent {
  /** Whose schema or values they are. */
  readonly workspace: string
  readonly schema_hash: string
  /** `undefined` for a schema that is about to be published. */
  readonly package_version_id: string | undefined
  readonly what: 'schema' | 'values'
  /** `time` and `crash`: the thread had to be replaced. */
  readonly why: 'steps' | 'time' | 'crash'
}

const blamedMs = 60_000
export const maxBlamed = 10_000

/**
 * Blames one workspace only, and only the values if values were the cause: others may publish the same schema, and it may
 * work for other values. Forgotten after a minute, since on a busy machine anything can be late once.
 *
 * @param now milliseconds
 */
export function createBlame(now: () => number): Blame {
  const blamed = new LRUCache<string, true>({
    max: maxBlamed,
    ttl: blamedMs,
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
