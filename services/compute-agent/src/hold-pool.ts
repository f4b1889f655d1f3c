import type { BusLog } from '@svc/bus/connection'
import type { compute } from '@svc/contract/compute/compute'
import { ApiError } from '@svc/contract/core/errors'
import type { z } from 'zod'
import type { Limits, Pool } from './pool.ts'

type Settings = z.output<(typeof compute)['operations']['get_agent_settings']['output']>

export interface HoldOptions {
  readonly pool: Pool
  readonly settings: () => Promise<Settings>
  readonly report: (machines: number) => Promise<unknown>
  readonly minMachines: number
  /** How often everything is compared, with or without a notification. */
  readonly everyMs: number
  /** An unchanged number is reported again after this many milliseconds, as a sign of life. Absent: never. */
  readonly reportAgainMs?: number
  readonly log: BusLog
  readonly attempted?: (ok: boolean) => void
}

export interface Held {
  wake(): void
  stop(): Promise<void>
}

const firstPauseMs = 250

/**
 * Keeps a pool at its cluster's settings, level-triggered: each time it reads the desired and the actual state and
 * does what is missing. Missed or repeated wake-ups and other agents do no harm.
 */
export function holdPool(options: HoldOptions): Held {
  const { pool, settings, report, minMachines, everyMs, reportAgainMs, log, attempted = () => {} } = options
  let known: Settings | undefined
  let again = false
  let stopping = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let pauseMs = firstPauseMs
  let trouble: string | undefined
  let reportedAt = Number.NEGATIVE_INFINITY
  const unwatch = pool.watch(wake)
  wake()
  return {
    wake,
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
      unwatch()
    },
  }

  function wake() {
    again = true
    if (!stopping) running ??= work()
  }

  async function work() {
    clearTimeout(timer)
    let pause = everyMs
    while (again && !stopping) {
      again = false
      pause = await attempt()
    }
    running = undefined
    if (!stopping) timer = setTimeout(wake, pause)
  }

  /** @returns the pause until the next one, unless something changes before */
  async function attempt(): Promise<number> {
    try {
      await reconcile()
      pauseMs = firstPauseMs
      attempted(true)
      logTrouble(undefined)
      return everyMs
    } catch (error) {
      attempted(false)
      logTrouble(error)
      pauseMs = Math.min(pauseMs * 2, everyMs)
      return pauseMs
    }
  }

  async function reconcile() {
    const fault = await readSettings()
    if (known) {
      const { machines } = await pool.read()
      // Also for a pool that cannot be changed: its machines are known.
      const failure = fault ?? (await failureOf(reportMachines(machines, known)))
      await pool.apply(limitsOf(known))
      if (failure) throw failure
    } else if (fault) throw fault
  }

  /** The service returns the last reported number, so a report that was lost or overtaken is repeated. */
  async function reportMachines(machines: number, { machines: reported }: Settings) {
    const again = reportAgainMs !== undefined && performance.now() - reportedAt >= reportAgainMs
    if (machines === reported && !again) return
    await report(machines)
    reportedAt = performance.now()
  }

  async function readSettings(): Promise<unknown> {
    try {
      known = await settings()
      return undefined
    } catch (error) {
      // It was deleted, or does not exist yet. The agent must not remove its machines.
      if (error instanceof ApiError && error.tag === 'ClusterNotFoundError') known = undefined
      return error
    }
  }

  function limitsOf({ auto_scaling, max_machines }: Settings): Limits {
    return { auto_scaling, max_machines, min_machines: Math.min(minMachines, max_machines) }
  }

  /** Logs each problem once, and its end. */
  function logTrouble(error: unknown) {
    const now = error === undefined ? undefined : String(error instanceof Error ? error.message : error)
    if (now === trouble) return
    if (now === undefined) log.info({}, 'the pool follows its settings again')
    else log.warn({ err: error, held_to: known }, 'the pool does not follow its settings')
    trouble = now
  }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    error => error,
  )
