/** One client that changes the settings of one cluster, and records the answers. */

interface Settings {
  readonly max_machines: number
  readonly etag: string
}

export interface Editor {
  readonly cluster: string
  /** Undefined if it has to be read first. */
  readonly etag: string | undefined
  /** The possible current values: what was acknowledged last, and what has had no answer since. Empty if not known yet. */
  readonly possible: ReadonlySet<number>
  /** How often something other than what had been acknowledged was found. */
  readonly lost: number
  /** The value to set. */
  next(): number
  acknowledged(settings: Settings): void
  failed(): void
  found(settings: Settings): void
}

export function settingsEditor(cluster: string): Editor {
  let etag: string | undefined
  let known: number | undefined
  // An unanswered attempt may be executed as long as its etag is current.
  let unanswered = new Set<number>()
  let asked = 0
  let lost = 0
  const possible = () => new Set(known === undefined ? unanswered : [known, ...unanswered])
  return {
    cluster,
    get etag() {
      return etag
    },
    get possible() {
      return possible()
    },
    get lost() {
      return lost
    },
    next() {
      asked = (asked % 1000) + 1
      return asked
    },
    acknowledged(settings) {
      if (settings.max_machines !== asked) lost++
      etag = settings.etag
      known = settings.max_machines
      unanswered = new Set()
    },
    failed() {
      etag = undefined
      unanswered.add(asked)
    },
    found(settings) {
      if (known !== undefined && !possible().has(settings.max_machines)) lost++
      etag = settings.etag
      known = settings.max_machines
    },
  }
}
