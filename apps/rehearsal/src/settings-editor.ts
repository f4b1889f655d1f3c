/** One client changes the settings of one cluster, and keeps account of what it was told. */

interface Settings {
  readonly max_machines: number
  readonly etag: string
}

export interface Editor {
  readonly cluster: string
  /** Undefined where it has to be read first. */
  readonly etag: string | undefined
  /** What the settings may be now: what was acknowledged last, and what has had no answer since. Empty: not known yet. */
  readonly possible: ReadonlySet<number>
  /** How often something else was found than what had been acknowledged. */
  readonly lost: number
  /** The value to ask for. */
  next(): number
  acknowledged(settings: Settings): void
  failed(): void
  found(settings: Settings): void
}

export function settingsEditor(cluster: string): Editor {
  let etag: string | undefined
  let known: number | undefined
  // An attempt without an answer may be executed as long as its etag is the current one.
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
