/** Background work in rounds: at intervals that differ from replica to replica, and sooner when woken. */
import type { Metrics } from '@svc/telemetry/metrics'
import { untraced } from '@svc/telemetry/tracing'
import type { Log } from './log.ts'

export interface WorkLoop {
  wake(): void
  /**
   * Begins no more rounds and waits for the current one. If it takes longer than `stopMs`, its signal is aborted,
   * and it has another second. Another replica or the next start does what is left.
   */
  stop(): Promise<void>
}

export interface WorkLoopOptions {
  readonly name: string
  /**
   * One round. Resolves to whether there may be more to do at once; `signal` is aborted when the loop must stop.
   */
  readonly work: (signal: AbortSignal) => Promise<boolean>
  /** The longest pause between two rounds; the shortest is half of it. */
  readonly everyMs: number
  readonly stopMs?: number
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly metrics?: Metrics
  /** Replaces the log lines for the first failure and for the first success after it. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/** The loop cannot be woken for this long after a failure: the next round would most likely fail again. */
const pauseAfterFailureMs = 500
const afterAbortMs = 1000

/** Rounds of one loop never overlap. The first comes after a pause. */
export function startWorkLoop({
  name,
  work,
  everyMs,
  stopMs = 5000,
  log,
  metrics,
  onError,
  now = () => performance.now(),
}: WorkLoopOptions): WorkLoop {
  const cut = new AbortController()
  const succeeded = metrics?.counter('svc_work_loop_rounds_total', { loop: name, outcome: 'ok' })
  const failed = metrics?.counter('svc_work_loop_rounds_total', { loop: name, outcome: 'failed' })
  // Prometheus' rate() sees no growth in a series whose first value is 1.
  succeeded?.(0)
  failed?.(0)
  let again = false
  let stopping = false
  let failing = false
  let pausedUntil = 0
  let running: Promise<void> | undefined
  let timer = pause()
  return {
    wake,
    async stop() {
      stopping = true
      clearTimeout(timer)
      const late = delay(stopMs).then(() => cut.abort())
      const given = late.then(() => delay(afterAbortMs))
      await Promise.race([running, given])
    },
  }

  function pause() {
    const ms = everyMs * (0.5 + Math.random() / 2)
    return setTimeout(() => {
      timer = pause()
      wake()
    }, ms).unref()
  }

  function wake() {
    again = true
    if (stopping || now() < pausedUntil) return
    running ??= untraced(rounds).finally(() => {
      running = undefined
    })
  }

  async function rounds() {
    try {
      while (again && !stopping) {
        again = false
        while ((await round()) && !stopping) {}
      }
    } catch (error) {
      pausedUntil = now() + pauseAfterFailureMs
      failed?.()
      if (onError) onError(error)
      else if (!failing) log.warn({ err: error, loop: name }, 'background work failed, will retry')
      failing = true
    }
  }

  async function round(): Promise<boolean> {
    const more = await work(cut.signal)
    succeeded?.()
    if (failing && !onError) log.info({ loop: name }, 'background work succeeds again')
    failing = false
    return more
  }
}

/** By the global timers, which a test may replace. */
const delay = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms).unref())
