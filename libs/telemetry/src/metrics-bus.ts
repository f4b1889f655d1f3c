/** Metrics of calls over the bus, on both sides. */
import type { Metrics } from './metrics.ts'
import { operationOf } from './operation-of.ts'
import { byLabel, failures, since, statusOf } from './metrics-outcome.ts'

type CallResult = 'ok' | 'refused' | 'failed' | 'unavailable' | 'timeout'

/**
 * The same call, counted by operation: the subject without its first part.
 *
 * @param subjects those that will be called, as far as that is known; others are set up at their first call
 */
export function meterCalls<
  Request extends { readonly subject: string },
  Answer extends { readonly status: number },
>(
  metrics: Metrics,
  waiting: () => number,
  call: (request: Request) => Promise<Answer>,
  subjects: readonly string[] = [],
): (request: Request) => Promise<Answer> {
  const meters = new Map<string, (outcome: CallResult, began: number) => void>()
  metrics.declare('svc_bus_calls_total')
  metrics.declare('svc_bus_call_duration_seconds')
  metrics.read('svc_bus_calls_waiting', {}, waiting)
  for (const subject of subjects) meterOf(subject)

  return async request => {
    const meter = meterOf(request.subject)
    const began = performance.now()
    try {
      const answer = await call(request)
      meter(answer.status < 400 ? 'ok' : answer.status < 500 ? 'refused' : 'failed', began)
      return answer
    } catch (error) {
      meter(outcomeOfLoss(error), began)
      throw error
    }
  }

  function meterOf(subject: string) {
    const operation = operationOf(subject)
    const known = meters.get(operation)
    if (known) return known
    const count = byLabel(
      (outcome: CallResult) => metrics.counter('svc_bus_calls_total', { operation, outcome }),
      ['failed', 'unavailable', 'timeout'],
    )
    const observe = metrics.histogram('svc_bus_call_duration_seconds', { operation })
    const meter = (outcome: CallResult, began: number) => {
      count(outcome)
      observe(since(began))
    }
    meters.set(operation, meter)
    return meter
  }
}

/** The outcome of a call without an answer. */
function outcomeOfLoss(error: unknown): CallResult {
  const status = statusOf(error)
  if (status === 504) return 'timeout'
  if (status === 503) return 'unavailable'
  return status < 500 ? 'refused' : 'failed'
}

/** Counts the answers of one operation; `began` of `performance.now()`. */
export type MeterAnswer = (status: number, began: number) => void

export function meterOperation(metrics: Metrics, operation: string): MeterAnswer {
  metrics.declare('svc_operations_total')
  const count = byLabel(
    (status: number) => metrics.counter('svc_operations_total', { operation, status: `${status}` }),
    failures,
  )
  const observe = metrics.histogram('svc_operation_duration_seconds', { operation })
  return (status, began) => {
    count(status)
    observe(since(began))
  }
}

/** Metrics that a bus server keeps itself. */
export interface ServedCounts {
  readonly dropped: number
  readonly shed: number
}

export function readServed(metrics: Metrics, counts: ServedCounts, inFlight: () => number) {
  metrics.read('svc_shed_total', { at: 'bus' }, () => counts.shed)
  metrics.read('svc_deadline_drops_total', { at: 'bus' }, () => counts.dropped)
  metrics.read('svc_operations_in_flight', {}, inFlight)
}

/** Metrics of a fair queue. */
export interface WaitingCounts {
  readonly waiting: number
  readonly tenantsWaiting: number
}

export function readQueue(metrics: Metrics, queue: string, counts: WaitingCounts) {
  metrics.read('svc_queue_depth', { queue }, () => counts.waiting)
  metrics.read('svc_tenants_waiting', { queue }, () => counts.tenantsWaiting)
}
