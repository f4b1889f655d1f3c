/** Metrics of a process's SQL statements. */
import type { Metrics } from './metrics.ts'
import { since, statusOf } from './metrics-outcome.ts'

export interface DatabaseState {
  readonly size: number
  readonly connections: () => number
  readonly idle: () => number
  readonly waiting: () => number
}

export interface DatabaseMeter {
  /** A statement was refused at the bound of the queue. */
  shed(): void
  /** A statement that waited from `asked` (of `performance.now()`) is given up; `late`: as its deadline passed. */
  gaveUp(asked: number, late?: boolean): void
  /** The statement has its connection. Call the result with the outcome; only the first call counts. */
  begins(asked: number): (error?: unknown, late?: boolean) => void
}

export function meterDatabase(metrics: Metrics, state: DatabaseState): DatabaseMeter {
  const count = (outcome: string) => metrics.counter('svc_database_statements_total', { outcome })
  const ok = count('ok')
  const refused = count('refused')
  const unavailable = count('unavailable')
  const timeout = count('timeout')
  for (const one of [ok, refused, unavailable, timeout]) one(0)
  const observe = metrics.histogram('svc_database_statement_duration_seconds', {})
  const waited = metrics.histogram('svc_database_wait_seconds', {})
  let sheds = 0
  let lates = 0
  metrics.read('svc_shed_total', { at: 'database' }, () => sheds)
  metrics.read('svc_deadline_drops_total', { at: 'database' }, () => lates)
  metrics.read('svc_queue_depth', { queue: 'database' }, state.waiting)
  metrics.read('svc_database_connections', { state: 'busy' }, () => state.connections() - state.idle())
  metrics.read('svc_database_connections', { state: 'idle' }, state.idle)
  metrics.read('svc_database_pool_size', {}, () => state.size)

  return {
    shed() {
      sheds++
      unavailable()
    },
    gaveUp(asked, late) {
      if (late) lates++
      waited(since(asked))
      unavailable()
    },
    begins(asked) {
      const began = performance.now()
      waited((began - asked) / 1000)
      let ended = false
      return (error, late) => {
        if (ended) return
        ended = true
        if (late) lates++
        observe(since(began))
        outcomeOf(error)()
      }
    },
  }

  function outcomeOf(error: unknown) {
    if (error === undefined) return ok
    const status = statusOf(error)
    return status === 504 ? timeout : status === 503 ? unavailable : refused
  }
}
