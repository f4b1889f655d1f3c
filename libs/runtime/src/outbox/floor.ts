/**
 * Up to which number an outbox is empty for good, as far as this process knows. A read begins above it: rows that were removed
 * stay in the index until no snapshot sees them, and each read would pass over all of them.
 */
export interface Floor {
  readonly current: number
  /** Called before a read. */
  begin(): { readonly above: number; note(found: Found): void }
}

/** What a read found, and the snapshot of its statement. */
export interface Found {
  /** The lowest transaction that was in progress, and the next one. */
  readonly xmin: number
  readonly xmax: number
  readonly lowest: number | undefined
  readonly highest: number | undefined
}

const everyMs = 1000
/** A failover that lost the newest events gives their numbers again, so a read now and then begins at 0. */
const fromStartEveryMs = 10_000

/**
 * The number of an event is drawn before its row can be seen, and later ones may be seen before it. So the floor rises to a number
 * only when every transaction that may have drawn one up to it has ended: those that are older than a read that began a second
 * after a greater number was seen.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function createFloor(now: () => number = () => performance.now()): Floor {
  let floor = 0
  /** The highest numbers seen until `lookedAt`, and since. */
  let earlier = 0
  let seen = 0
  /** `earlier`, and up to which transaction one may have drawn it. */
  let bounded: { earlier: number; xmax: number } | undefined
  let lookedAt = now()
  let fromStartAt = now()
  return {
    get current() {
      return floor
    },
    begin() {
      const at = now()
      const fromStart = at - fromStartAt >= fromStartEveryMs
      if (fromStart) {
        fromStartAt = at
        earlier = seen = 0
        bounded = undefined
      }
      return { above: fromStart ? 0 : floor, note: found => note(at, found) }
    },
  }

  function note(at: number, { xmin, xmax, lowest = Number.POSITIVE_INFINITY, highest = 0 }: Found) {
    if (bounded && xmin >= bounded.xmax) {
      floor = Math.max(floor, bounded.earlier)
      bounded = undefined
    }
    floor = Math.min(floor, lowest - 1)
    seen = Math.max(seen, highest)
    if (at - lookedAt < everyMs) return
    lookedAt = at
    if (earlier > floor) bounded ??= { earlier, xmax }
    earlier = seen
  }
}
