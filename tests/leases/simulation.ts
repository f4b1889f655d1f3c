/** True time, the processes with their clocks, and what happens when. All times are milliseconds. */

export interface Process {
  readonly name: string
  alive: boolean
  /** Frozen, or its machine is paused: what comes meanwhile waits. */
  stalledUntil: number
  /** For how long its machine was paused: the monotonic clock stood still. */
  pausedMs: number
  /** How far its wall clock is behind true time. */
  wallBehindMs: number
}

interface Event {
  readonly ordinal: number
  readonly process: Process | undefined
  readonly run: () => void
  at: number
}

export type Simulation = ReturnType<typeof createSimulation>

export function createSimulation(seed: number, traced: boolean) {
  const queue: Event[] = []
  const trace: string[] = []
  const happened = new Set<string>()
  let ordinal = 0
  let state = seed
  const simulation = {
    now: 0,
    stopped: false,
    trace,
    happened,
    log,
    random,
    start,
    at,
    on,
    runUntil,
    monotonic,
    wall,
    freeze,
    pause,
  }
  return simulation

  function log(line: () => string) {
    if (traced) trace.push(`${String(simulation.now).padStart(5)} ${line()}`)
  }

  /** From 0 to below `most`: mulberry32. */
  function random(most: number): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }

  function start(name: string): Process {
    return { name, alive: true, stalledUntil: 0, pausedMs: 0, wallBehindMs: 0 }
  }

  function at(time: number, run: () => void) {
    insert({ ordinal: ordinal++, process: undefined, run, at: Math.max(time, simulation.now) })
  }

  /** In this process, so when it is neither frozen nor paused, and never if it has died. */
  function on(process: Process, time: number, run: () => void) {
    insert({ ordinal: ordinal++, process, run, at: Math.max(time, simulation.now) })
  }

  function runUntil(end: number) {
    for (let next = queue[0]; next && next.at <= end && !simulation.stopped; next = queue[0]) {
      removeFirst()
      simulation.now = next.at
      const { process } = next
      if (!process) next.run()
      else if (!process.alive) continue
      else if (process.stalledUntil > next.at) {
        // What has waited in several sockets is not read in the order in which it came.
        next.at = process.stalledUntil + random(4)
        insert(next)
      } else next.run()
    }
  }

  function monotonic(process: Process): number {
    return simulation.now - process.pausedMs
  }
  function wall(process: Process): number {
    return simulation.now - process.wallBehindMs
  }

  /** The process alone stands still: its clocks go on. */
  function freeze(process: Process, ms: number) {
    process.stalledUntil = Math.max(process.stalledUntil, simulation.now + ms)
  }

  /** The whole machine stands still. Noticed: its wall clock is right afterwards. */
  function pause(process: Process, ms: number, noticed: boolean) {
    const from = Math.max(process.stalledUntil, simulation.now)
    const longer = Math.max(0, simulation.now + ms - from)
    process.stalledUntil = from + longer
    process.pausedMs += longer
    if (!noticed) process.wallBehindMs += longer
  }

  // A binary heap.
  function insert(event: Event) {
    let index = queue.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = queue[parent] as Event
      if (!before(event, above)) break
      queue[index] = above
      index = parent
    }
    queue[index] = event
  }
  function removeFirst() {
    const last = queue.pop() as Event
    if (queue.length === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= queue.length) break
      if (child + 1 < queue.length && before(queue[child + 1] as Event, queue[child] as Event)) child++
      if (!before(queue[child] as Event, last)) break
      queue[index] = queue[child] as Event
      index = child
    }
    queue[index] = last
  }
  function before(one: Event, other: Event): boolean {
    return one.at < other.at || (one.at === other.at && one.ordinal < other.ordinal)
  }
}
