/** How durations and failures are told to metrics. */

/** Seconds since a reading of `performance.now()`. */
export const since = (began: number): number => (performance.now() - began) / 1000

/** The HTTP status that an error stands for; 500 of a fault. */
export function statusOf(error: unknown): number {
  const { status } = error as { status?: unknown }
  return typeof status === 'number' ? status : 500
}

/** A counter for each value of a label: made when the value is first met, since most never are. */
export function byLabel<Value>(make: (value: Value) => () => void): (value: Value) => void {
  const counters = new Map<Value, () => void>()
  return value => {
    const known = counters.get(value)
    if (known) return known()
    const made = make(value)
    counters.set(value, made)
    made()
  }
}
