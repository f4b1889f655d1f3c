import type { BusLog } from '@svc/bus/connection'
import type { compute } from '@svc/contract/compute'
import { ApiError } from '@svc/contract/errors'
import type { z } from 'zod'
import type { Limits, Pool } from './pool.ts'

type Settings = z.output<(typeof compute)['operations']['get_agent_settings']['output']>

export interface HoldOptions {
  readonly pool: Pool
  /** The cluster's settings as they are now. */
  readonly settings: () => Promise<Settings>
  readonly report: (machines: number) => Promise<unknown>
  readonly minMachines: number
  /** Everything is compared so often, whether or not a change was told. */
  readonly everyMs: number
  readonly log: BusLog
  /** Told of each attempt whether it came to its end. */
  readonly attempted?: (ok: boolean) => void
}

export interface Held {
  /** Something may have changed. */
  wake(): void
  /** Finishes what is under way. The pool stays as it is. */
  stop(): Promise<void>
}

const firstPauseMs = 250

/**
 * Holds a pool to its cluster's settings, by level and not by event: each time it reads what is wanted and what is there,
 * and does what is missing. So it is all the same how many wake it, what was missed, and whether another agent does it too.
 */
export function holdPool(options: HoldOptions): Held {
  const { pool, settings, report, minMachines, everyMs, log, attempted = () => {} } = options
  /** What was read last. While the settings cannot be read the pool is held to these. */
  let known: Settings | undefined
  let again = false
  let stopping = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let pauseMs = firstPauseMs
  let trouble: string | undefined
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

  /** How long to wait for the next one, unless something changes before. */
  async function attempt(): Promise<number> {
    try {
      await reconcile()
      pauseMs = firstPauseMs
      attempted(true)
      tell(undefined)
      return everyMs
    } catch (error) {
      attempted(false)
      tell(error)
      pauseMs = Math.min(pauseMs * 2, everyMs)
      return pauseMs
    }
  }

  async function reconcile() {
    const fault = await readSettings()
    if (known) {
      const { machines } = await pool.read()
      // Of a pool that cannot be changed, too: what is there is known.
      const untold = fault ?? (await failureOf(tellMachines(machines, known)))
      await pool.apply(limitsOf(known))
      if (untold) throw untold
    } else if (fault) throw fault
  }

  /** The service says what it was told last, so a report that was lost or overtaken is made up for. */
  async function tellMachines(machines: number, { machines: told }: Settings) {
    if (machines !== told) await report(machines)
  }

  /** The reason where they could not be read. */
  async function readSettings(): Promise<unknown> {
    try {
      known = await settings()
      return undefined
    } catch (error) {
      // It was deleted, or not made yet. Its machines are not for the agent to remove.
      if (error instanceof ApiError && error.tag === 'ClusterNotFoundError') known = undefined
      return error
    }
  }

  function limitsOf({ auto_scaling, max_machines }: Settings): Limits {
    return { auto_scaling, max_machines, min_machines: Math.min(minMachines, max_machines) }
  }

  /** Each trouble once, and its end. */
  function tell(error: unknown) {
    const now = error === undefined ? undefined : String(error instanceof Error ? error.message : error)
    if (now === trouble) return
    if (now === undefined) log.info({}, 'the pool is held again')
    else log.warn({ err: error, held_to: known }, 'the pool cannot be held as it should')
    trouble = now
  }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    error => error,
  )
