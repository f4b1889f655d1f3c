/** Says when requests are due that are sent at a fixed rate, however long the answers take: an open loop. */

export interface Pace {
  /**
   * Calls `send` once, as soon as a request is due, with the time at which it was due (ms of `performance.now()`); with
   * undefined when there are no more.
   */
  take(send: (dueAt: number | undefined) => void): void
  /** Requests that are due and that nobody has taken. */
  readonly late: number
  /** Nothing more is due. */
  stop(): void
}

export function createPace(perSecond: number): Pace {
  const stepMs = 1000 / perSecond
  const began = performance.now()
  const waiting: ((dueAt: number | undefined) => void)[] = []
  /** How many were due, and how many of them were taken. */
  let due = 0
  let taken = 0
  let timer: NodeJS.Timeout | undefined
  let going = true
  const timeOf = (index: number) => began + index * stepMs
  tick()

  return {
    take(send) {
      if (!going) send(undefined)
      else if (taken < due) send(timeOf(taken++))
      else waiting.push(send)
    },
    get late() {
      return due - taken
    },
    stop() {
      going = false
      clearTimeout(timer)
      for (const send of waiting.splice(0)) send(undefined)
    },
  }

  function tick() {
    due = Math.floor((performance.now() - began) / stepMs) + 1
    while (going && taken < due && waiting.length > 0) waiting.shift()?.(timeOf(taken++))
    if (going) timer = setTimeout(tick, timeOf(due) - performance.now())
  }
}
