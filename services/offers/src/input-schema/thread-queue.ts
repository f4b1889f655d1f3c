// Work for a few threads, with a bound on what waits. A thread does one piece of work at a time, so that what
// it dies of is never in doubt, and nothing else is lost with it.
import { setTimeout as delay } from 'node:timers/promises'
import { InputSchemaBusy } from './busy.ts'
import { type Thread, ThreadLost } from './thread.ts'

export type Work<T> = {
  /** The schema it is about: a thread that knows it is preferred. */
  hash: string
  /** Slow work keeps to one thread, so that the others stay free for the rest. */
  slow: boolean
  perform(thread: Thread): Promise<T>
}

export type ThreadQueue = {
  /** Rejects with `InputSchemaBusy` when too much waits, or after waiting too long. */
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
type Lane = { thread: Thread; state: 'starting' | 'busy' | 'idle'; takesSlow: boolean }
type Job = {
  work: Work<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  patience?: NodeJS.Timeout
}

const START_LIMIT_MS = 15_000
const MAX_BACKOFF_MS = 5_000

/** Threads run while there is work, which waits for them to be up: else their heaps would be memory for nothing. */
export function startThreadQueue({ threads, maxWaiting, maxWaitMs, idleMs, start }: Options): ThreadQueue {
  const closing = new AbortController()
  const waiting: Job[] = []
  const lanes: Lane[] = []
  let rest: NodeJS.Timeout | undefined
  return { run, knows: hash => lanes.some(lane => lane.thread.known.has(hash)), close }

  function endLanes() {
    return Promise.all(lanes.splice(0).map(({ thread }) => thread.close()))
  }

  /** Coming up costs some 0.4 s of processor: none starts while as many are coming up as there is work that waits. */
  function startLane() {
    const starting = lanes.filter(({ state }) => state === 'starting')
    if (lanes.length >= threads || starting.length >= waiting.length) return
    const lane: Lane = { thread: start(), state: 'starting', takesSlow: lanes.length === 0 }
    lanes.push(lane)
    void warmUp(lane)
  }

  function run<T>(work: Work<T>): Promise<T> {
    clearTimeout(rest)
    return new Promise<T>((resolve, reject) => {
      const job: Job = { work, resolve: resolve as Job['resolve'], reject }
      const lane = idleLane(work)
      if (closing.signal.aborted) reject(new InputSchemaBusy('is closing'))
      else if (lane) void perform(lane, job)
      else if (waiting.length >= maxWaiting) reject(new InputSchemaBusy('too much waits'))
      else wait(job)
    })
  }

  function idleLane({ hash, slow }: Work<unknown>): Lane | undefined {
    const idle = lanes.filter(lane => lane.state === 'idle' && (lane.takesSlow || !slow))
    return idle.find(lane => lane.thread.known.has(hash)) ?? idle.at(-1)
  }

  function wait(job: Job) {
    waiting.push(job)
    job.patience = setTimeout(() => {
      waiting.splice(waiting.indexOf(job), 1)
      job.reject(new InputSchemaBusy('waited too long'))
    }, maxWaitMs)
    startLane()
  }

  async function perform(lane: Lane, { work, resolve, reject }: Job) {
    lane.state = 'busy'
    try {
      resolve(await work.perform(lane.thread))
    } catch (error) {
      if (closing.signal.aborted) return reject(new InputSchemaBusy('is closing'))
      reject(error)
      if (error instanceof ThreadLost) return replace(lane)
    }
    next(lane)
  }

  function next(lane: Lane) {
    lane.state = 'idle'
    const index = waiting.findIndex(({ work }) => lane.takesSlow || !work.slow)
    const [job] = index < 0 ? [] : waiting.splice(index, 1)
    if (job) {
      clearTimeout(job.patience)
      void perform(lane, job)
    } else if (lanes.every(({ state }) => state === 'idle')) {
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
    for (const { patience, reject } of waiting.splice(0)) {
      clearTimeout(patience)
      reject(new InputSchemaBusy('is closing'))
    }
    clearTimeout(rest)
    await endLanes()
  }
}
