/** Durations and failures as metrics have them. */

/** Seconds since a reading of `performance.now()`. */
export const since = (began: number): number => (performance.now() - began) / 1000

/** The HTTP status that an error stands for; 500 of a fault. */
export function statusOf(error: unknown): number {
  const { status } = error as { status?: unknown }
  return typeof status === 'number' ? status : 500
}

/** What a service or the gateway answers when it fails. */
export const failures: readonly number[] = [500, 503, 504]

/**
 * A counter for each value of a label: made when the value is first met, since most never are. Those used by
 * alerts start at 0: Prometheus' rate() sees no growth in a series whose first value is 1.
 */
export function byLabel<Value>(
  make: (value: Value) => (by?: number) => void,
  born: readonly Value[],
): (value: Value) => void {
  const counters = new Map<Value, (by?: number) => void>()
  for (const value of born) counterOf(value)(0)
  return value => counterOf(value)()

  function counterOf(value: Value) {
    const known = counters.get(value)
    if (known) return known
    const made = make(value)
    counters.set(value, made)
    return made
  }
}
