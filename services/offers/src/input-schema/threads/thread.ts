// One worker thread whose tasks have a time limit.
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { Reply, Task, WorkerLimits } from './tasks.ts'
import { newThreadId, threadMs } from './thread-time.ts'

export type Thread = {
  /** The schemas that it has compiled, by hash. */
  known: Set<string>
  /** Throws `ThreadLost`, after which the thread is of no use. One call at a time. */
  call(task: Task, limitMs: number): Promise<Reply>
  close(): Promise<void>
}

export type ThreadOptions = Omit<WorkerLimits, 'threadId'> & { maxMemoryMb: number }

/** The thread was stopped because a task timed out, or it died of the task. */
export class ThreadLost extends Error {
  override name = 'ThreadLost'
  readonly why: 'time' | 'crash'
  /** What it was lost over. */
  readonly task: Task

  constructor(why: 'time' | 'crash', task: Task, cause: unknown) {
    super(why === 'time' ? 'a task timed out' : 'the thread died', { cause })
    this.why = why
    this.task = task
  }
}

// Threads load JavaScript only. Where tests import the source, the build stands beside it.
const worker = import.meta.url.endsWith('.ts')
  ? '../../../dist/input-schema/threads/worker.js'
  : './worker.js'

/**
 * A task has its limit in processor time, as what the machine does beside it is not the seller's fault, and so many times
 * the limit in all.
 */
const patience = 8
/** When the thread's time is read first, as a part of the limit: most tasks end before, and pay for no reading. */
const firstLook = 0.1

/** Starts a thread; its first call waits for it to be up. */
export function startThread({ maxMemoryMb, maxSchemas, maxSchemaBytes, maxSteps }: ThreadOptions): Thread {
  const threadId = newThreadId()
  const limits: WorkerLimits = { maxSchemas, maxSchemaBytes, maxSteps, threadId }
  // A pool of one: which thread knows which schema is then certain.
  const pool = new Piscina({
    filename: fileURLToPath(new URL(worker, import.meta.url)),
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    workerData: limits,
    // The worker has no need of the service's secrets.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  // A thread that dies between two tasks is replaced by the pool; the new one answers 'unknown' and is taught.
  pool.on('error', () => {})
  return { known: new Set(), call, close: () => pool.destroy() }

  async function call(task: Task, limitMs: number): Promise<Reply> {
    let state: 'running' | 'done' | 'late' = 'running'
    const began = performance.now()
    let before: number | undefined
    let timer: NodeJS.Timeout
    const look = () => {
      // The service's own thread may be the late one: an answer that already waits is read first.
      setImmediate(() => {
        if (state !== 'running') return
        const used = threadMs(threadId)
        if (used !== undefined) before ??= used - firstLook * limitMs
        const left = limitMs - ((used ?? 0) - (before ?? 0))
        const leftOfAll = patience * limitMs - (performance.now() - began)
        if (left > 1 && leftOfAll > 1) {
          timer = setTimeout(look, Math.min(left, leftOfAll))
          return
        }
        state = 'late'
        void pool.destroy()
      })
    }
    timer = setTimeout(look, firstLook * limitMs)
    try {
      return await pool.run(task)
    } catch (cause) {
      throw new ThreadLost((state as string) === 'late' ? 'time' : 'crash', task, cause)
    } finally {
      if (state === 'running') state = 'done'
      clearTimeout(timer)
    }
  }
}
