// One worker thread whose tasks have a time limit.
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { Reply, Task, WorkerLimits } from './tasks.ts'

export type Thread = {
  /** The schemas that it has compiled, by hash. */
  known: Set<string>
  /** Throws `ThreadLost`, after which the thread is of no use. One call at a time. */
  call(task: Task, limitMs: number): Promise<Reply>
  close(): Promise<void>
}

export type ThreadOptions = WorkerLimits & { maxMemoryMb: number }

/** The thread was stopped because a task took too long, or it died of the task. */
export class ThreadLost extends Error {
  override name = 'ThreadLost'
  readonly why: 'time' | 'crash'

  constructor(why: 'time' | 'crash', cause: unknown) {
    super(why === 'time' ? 'a task took too long' : 'the thread died', { cause })
    this.why = why
  }
}

// Threads load JavaScript only. Where tests import the source, the build stands beside it.
const worker = import.meta.url.endsWith('.ts') ? '../../dist/input-schema/worker.js' : './worker.js'

/** Starts a thread; its first call waits for it to be up. */
export function startThread({ maxMemoryMb, maxSchemas, maxSchemaBytes }: ThreadOptions): Thread {
  const limits: WorkerLimits = { maxSchemas, maxSchemaBytes }
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
    const timer = setTimeout(() => {
      // The service's own thread may be the late one: an answer that already waits is read first.
      setImmediate(() => {
        if (state !== 'running') return
        state = 'late'
        void pool.destroy()
      })
    }, limitMs)
    try {
      return await pool.run(task)
    } catch (cause) {
      throw new ThreadLost((state as string) === 'late' ? 'time' : 'crash', cause)
    } finally {
      if (state === 'running') state = 'done'
      clearTimeout(timer)
    }
  }
}
