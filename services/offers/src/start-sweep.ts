/** The loop around a round of work that any replica may do. */
import type { Log } from '@svc/runtime/log'

export interface Sweep {
  /** Lets the round that is under way finish, and begins no more. */
  stop(): Promise<void>
}

export interface SweepOptions {
  /** Says whether there may be more to do at once. */
  readonly round: () => Promise<boolean>
  readonly everyMs: number
  /** What the log calls it. */
  readonly sweep: string
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** The first round comes after a part of the pause that differs from replica to replica, and so do all others. */
export function startSweep({ round, everyMs, sweep: name, log }: SweepOptions): Sweep {
  let stopping = false
  let failing = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  pause()
  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
    },
  }

  function pause() {
    if (stopping) return
    timer = setTimeout(
      () => {
        running = sweep().finally(pause)
      },
      everyMs * (0.5 + Math.random()),
    )
    timer.unref()
  }

  async function sweep() {
    try {
      while ((await round()) && !stopping) {}
      if (failing) log.info({ sweep: name }, 'a sweep works again')
      failing = false
    } catch (err) {
      if (!failing) log.warn({ err, sweep: name }, 'a sweep fails')
      failing = true
    }
  }
}
