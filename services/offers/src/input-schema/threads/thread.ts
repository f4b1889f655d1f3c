import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { Reply, Task, WorkerLimits } from './tasks.ts'
import { newThreadId, threadMs } from './thread-time.ts'

export interface Thread {
  readonly compiled: Set<string>
  /**
   * Runs one task at a time.
   *
   * @param limitMs processor time
   * @throws ThreadLost after which the thread cannot be used any more
   */
  call(task: Task, limitMs: number): Promise<Reply>
  close(): Promise<void>
}

export interface ThreadOptions extends Omit<WorkerLimits, 'threadId'> {
  readonly maxMemoryMb: number
}

/** The thread was stopped because a task timed out, or the task crashed it. */
export class ThreadLost extends Error {
  override name = 'ThreadLost'
  readonly why: 'time' | 'crash'
  readonly task: Task

  constructor(why: 'time' | 'crash', task: Task, cause: unknown) {
    super(why === 'time' ? 'a task timed out' : 'the thread died', { cause })
    this.why = why
    this.task = task
  }
}

// Threads load JavaScript only. Tests import the source, and then the built worker is used.
const worker = import.meta.url.endsWith('.ts')
  ? '../../../dist/input-schema/threads/worker.js'
  : './worker.js'

/**
 * Limits count processor time, since a busy machine is not the seller's fault. By the clock a task gets this many times its
 * limit.
 */
const wallClockFactor = 8
const firstCheck = 0.1

/** The first call waits until the thread is up. */
export function startThread({ maxMemoryMb, maxSchemas, maxSchemaBytes, maxSteps }: ThreadOptions): Thread {
  const threadId = newThreadId()
  const limits: WorkerLimits = { maxSchemas, maxSchemaBytes, maxSteps, threadId }
  // A pool of one, so that it is certain which thread has compiled which schema.
  const pool = new Piscina({
    filename: fileURLToPath(new URL(worker, import.meta.url)),
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    workerData: limits,
    // The worker does not need the service's secrets.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  // The pool replaces a thread that dies between two tasks. The new one answers 'not compiled', and compiles what it needs.
  pool.on('error', () => {})
  return { compiled: new Set(), call, close: () => pool.destroy() }

  async function call(task: Task, limitMs: number): Promise<Reply> {
    let state: 'running' | 'done' | 'late' = 'running'
    const began = performance.now()
    let usedBefore: number | undefined
    let timer: NodeJS.Timeout
    const checkTime = () => {
      // The service's own thread may be the late one: a waiting answer is read first.
      setImmediate(() => {
        if (state !== 'running') return
        const used = threadMs(threadId)
        if (used !== undefined) usedBefore ??= used - firstCheck * limitMs
        const left = limitMs - ((used ?? 0) - (usedBefore ?? 0))
        const leftByClock = wallClockFactor * limitMs - (performance.now() - began)
        if (left > 1 && leftByClock > 1) {
          timer = setTimeout(checkTime, Math.min(left, leftByClock))
          return
        }
        state = 'late'
        void pool.destroy()
      })
    }
    timer = setTimeout(checkTime, firstCheck * limitMs)
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
