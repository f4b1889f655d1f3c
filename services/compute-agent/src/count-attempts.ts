import type { Metrics } from '@svc/telemetry/metrics'

/**
 * Counts comparisons of pools with their settings. A pool that was never reconciled counts from now (Unix
 * milliseconds), so that it shows up like one that stopped being reconciled.
 *
 * @returns a function that creates the counter of one pool
 */
export function countAttempts(metrics: Metrics, now: () => number): () => (ok: boolean) => void {
  const succeeded = metrics.counter('svc_agent_reconciles_total', { outcome: 'ok' })
  const failed = metrics.counter('svc_agent_reconciles_total', { outcome: 'failed' })
  succeeded(0)
  failed(0)
  const began = now()
  const successes: number[] = []
  metrics.read('svc_agent_last_success_seconds', {}, () => Math.min(...successes, now()) / 1000)

  return () => {
    const at = successes.push(began) - 1
    return ok => {
      if (ok) {
        successes[at] = now()
        succeeded()
      } else failed()
    }
  }
}
