/**
 * The number up to which an outbox stays empty, as far as this process knows. A read begins above it: removed rows
 * stay in the index while any snapshot can see them, and each read would have to skip them.
 */
export interface Floor {
  readonly current: number
  /** Called before a read. */
  begin(): { readonly above: number; record(found: Found): void }
}

export interface Found {
  readonly xmin: number
  readonly xmax: number
  readonly lowest: number | undefined
  readonly highest: number | undefined
}

const everyMs = 1000
/** A failover that loses the newest events reuses their numbers, so a read occasionally begins at 0. */
const fromStartEveryMs = 10_000

/**
 * An event gets its number before its row becomes visible, and later numbers may become visible first. So the floor
 * rises to a number only when every transaction that may have drawn a lower one has ended: those older than a read
 * that began a second after a greater number was seen.
 *
 * @param now milliseconds of a monotonic clock
 */
export function createFloor(now: () => number = () => performance.now()): Floor {
  let floor = 0
  let earlier = 0
  let seen = 0
  /** `earlier`, and the last transaction that may have drawn it. */
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
      return { above: fromStart ? 0 : floor, record: found => record(at, found) }
    },
  }

  function record(at: number, { xmin, xmax, lowest = Number.POSITIVE_INFINITY, highest = 0 }: Found) {
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
