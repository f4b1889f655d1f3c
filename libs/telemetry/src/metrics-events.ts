/** What is counted of events that a process consumes. */
import type { Metrics } from './metrics.ts'

/** Counts the deliveries of one type of event. */
export function meterConsumption(metrics: Metrics, event: string) {
  const counted = (outcome: string) => metrics.counter('svc_events_consumed_total', { event, outcome })
  const [handled, retried, parked] = [counted('handled'), counted('retried'), counted('parked')]
  let last = 0
  // An alert sees a first one only where there was a 0 before it.
  parked(0)
  metrics.read('svc_events_behind', { event }, () => last)
  return {
    handled: () => handled(),
    retried: () => retried(),
    parked: () => parked(),
    behind: (count: number) => {
      last = count
    },
  }
}
