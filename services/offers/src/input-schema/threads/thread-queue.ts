// Work for a few threads, with a bound on what waits, and by turns among those whose work it is. A thread does one piece of work at a time, so that what
// it dies of is never in doubt, and nothing else is lost with it.
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { InputSchemaBusy } from './busy.ts'
import { type Thread, ThreadLost } from './thread.ts'
import { Turns } from './turns.ts'

export type Work<T> = {
  /** The workspace whose work it is: each has its turn. */
  tenant: string
  /** The schema it is about: a thread that knows it is preferred. */
  hash: string
  /** Slow work keeps to one thread, so that the others stay free for the rest. */
  slow: boolean
  perform(thread: Thread): Promise<T>
}

export type ThreadQueue = {
  /** Rejects with `InputSchemaBusy` when too many tasks are waiting, or after waiting too long. */
  run<T>(work: Work<T>): Promise<T>
  knows(hash: string): boolean
  close(): Promise<void>
}

type Options = {
  threads: number
  maxWaiting: number
  maxWaitMs: number
  /** Without work for so long, the threads end; the next work starts them again. */
  idleMs: number
  start: () => Thread
}
type Lane = { thread: Thread; state: 'starting' | 'busy' | 'idle'; takesSlow: boolean; tenant?: string }
type Job = {
  tenant: string
  work: Work<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  patience?: NodeJS.Timeout
}

const START_LIMIT_MS = 15_000
const MAX_BACKOFF_MS = 5_000
/** Whose work took so long leaves a thread to the others, for a while. */
const LONG_MS = 50
const LONG_REMEMBERED_MS = 60_000

/** Threads run while there is work, which waits for them to be up: else their heaps would be memory for nothing. */
export function startThreadQueue({ threads, maxWaiting, maxWaitMs, idleMs, start }: Options): ThreadQueue {
  const closing = new AbortController()
  const waiting = new Turns<Job>()
  const takesLong = new LRUCache<string, true>({ max: 1000, ttl: LONG_REMEMBERED_MS })
  const lanes: Lane[] = []
  let rest: NodeJS.Timeout | undefined
  return { run, knows: hash => lanes.some(lane => lane.thread.known.has(hash)), close }

  function endLanes() {
    return Promise.all(lanes.splice(0).map(({ thread }) => thread.close()))
  }

  /** Coming up costs some 0.4 s of processor: none starts while as many are coming up as there is work that waits. */
  function startLane() {
    const starting = lanes.filter(({ state }) => state === 'starting')
    if (lanes.length >= threads || starting.length >= waiting.size) return
    const lane: Lane = { thread: start(), state: 'starting', takesSlow: lanes.length === 0 }
    lanes.push(lane)
    void warmUp(lane)
  }

  function run<T>(work: Work<T>): Promise<T> {
    clearTimeout(rest)
    return new Promise<T>((resolve, reject) => {
      const job: Job = { tenant: work.tenant, work, resolve: resolve as Job['resolve'], reject }
      const lane = idleLane(work)
      if (closing.signal.aborted) reject(new InputSchemaBusy('is closing'))
      else if (lane) void perform(lane, job)
      else if (hasRoom(job)) wait(job)
      else reject(new InputSchemaBusy('too many tasks are waiting'))
    })
  }

  /** Past the bound the newest of the tenant that has most waiting makes room. */
  function hasRoom({ tenant }: Job): boolean {
    if (waiting.size < maxWaiting) return true
    const newest = waiting.newestOfLongest(tenant)
    if (newest) giveUp(newest, 'too many tasks are waiting')
    return newest !== undefined
  }

  function idleLane(work: Work<unknown>): Lane | undefined {
    const idle = lanes.filter(lane => lane.state === 'idle' && fits(work, lane))
    return idle.find(lane => lane.thread.known.has(work.hash)) ?? idle.at(-1)
  }

  function fits({ slow, tenant }: Work<unknown>, lane: Lane): boolean {
    if (slow && !lane.takesSlow) return false
    const most = takesLong.has(tenant) ? Math.max(1, threads - 1) : threads
    return lanes.filter(other => other.state === 'busy' && other.tenant === tenant).length < most
  }

  function wait(job: Job) {
    waiting.add(job)
    job.patience = setTimeout(() => giveUp(job, 'waited too long'), maxWaitMs)
    startLane()
  }

  function giveUp(job: Job, why: string) {
    clearTimeout(job.patience)
    waiting.remove(job)
    job.reject(new InputSchemaBusy(why))
  }

  async function perform(lane: Lane, { tenant, work, resolve, reject }: Job) {
    lane.state = 'busy'
    lane.tenant = tenant
    const began = performance.now()
    try {
      resolve(await work.perform(lane.thread))
    } catch (error) {
      if (closing.signal.aborted) return reject(new InputSchemaBusy('is closing'))
      reject(error)
      if (error instanceof ThreadLost) return replace(lane)
    } finally {
      if (performance.now() - began > LONG_MS) takesLong.set(tenant, true)
    }
    next(lane)
  }

  function next(freed: Lane) {
    freed.state = 'idle'
    // What waits may fit another one that is idle, now that its tenant has one less.
    for (const lane of lanes.filter(({ state }) => state === 'idle')) {
      const job = waiting.next(({ work }) => fits(work, lane))
      if (!job) continue
      clearTimeout(job.patience)
      void perform(lane, job)
    }
    if (lanes.every(({ state }) => state === 'idle')) {
      clearTimeout(rest)
      rest = setTimeout(() => endLanes().catch(() => {}), idleMs).unref()
    }
  }

  async function replace(lane: Lane, backoffMs = 0): Promise<void> {
    await lane.thread.close().catch(() => {})
    if (backoffMs > 0) await delay(backoffMs, undefined, { signal: closing.signal }).catch(() => {})
    if (closing.signal.aborted) return
    lane.thread = start()
    return warmUp(lane, backoffMs)
  }

  async function warmUp(lane: Lane, backoffMs = 0): Promise<void> {
    lane.state = 'starting'
    try {
      await lane.thread.call({ kind: 'warm up' }, START_LIMIT_MS)
    } catch {
      // Nothing of a seller's was running: the machine is out of memory or of threads. Do not add to it.
      return replace(lane, Math.min(MAX_BACKOFF_MS, backoffMs * 2 || 100))
    }
    next(lane)
  }

  async function close() {
    closing.abort()
    for (const job of waiting.all()) giveUp(job, 'is closing')
    clearTimeout(rest)
    await endLanes()
  }
}
