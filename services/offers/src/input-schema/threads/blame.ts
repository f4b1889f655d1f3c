import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export interface Suspect {
  readonly workspace: string
  readonly hash: string
  readonly valuesText?: string
}

export interface Blame {
  has(suspect: Suspect): boolean
  add(suspect: Suspect): void
}

export interface TooExpensiveEvent {
  readonly workspace: string
  readonly schema_hash: string
  /** `undefined` for a schema that is about to be published. */
  readonly package_version_id: string | undefined
  readonly what: 'schema' | 'values'
  readonly why: 'steps' | 'time' | 'crash'
}

const blamedMs = 60_000
export const maxBlamed = 10_000

/**
 * Blames one workspace only, and only the values if values were the cause: others may publish the same schema, and
 * it may work for other values. Forgets after a minute, since on a busy machine anything can be late once.
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
