import type { Sql } from '@svc/runtime/database'
import type { Metrics } from '@svc/telemetry/metrics'
import { isHealthy } from './claim-endpoints.ts'
import type { Result } from './record-results.ts'

/** Every replica reports the same numbers of endpoints. */
export function meterWebhooks(sql: () => Sql, metrics: Metrics | undefined) {
  const count = (outcome: string) => {
    const counter = metrics?.counter('svc_webhook_attempts_total', { outcome })
    counter?.(0)
    return (by = 1) => counter?.(by)
  }
  const [accepted, failed, givenUp] = [count('accepted'), count('failed'), count('given_up')] as const
  metrics?.read('svc_webhook_overdue_seconds', {}, async () => {
    const [row] = await sql()<{ seconds: number }>`/* activity.read_overdue */
      select extract(epoch from now() - min(due_at))::float8 as seconds
      from webhook_endpoints where ${isHealthy} and due_at <= now() and held_until <= now()`
    return Math.max(0, row?.seconds ?? 0)
  })
  metrics?.read('svc_webhook_endpoints_failing', {}, async () => {
    const [row] = await sql()<{ count: number }>`/* activity.count_failing */
      select count(*)::int as count from webhook_endpoints where failing_since is not null`
    return row?.count ?? 0
  })
  return {
    onResult: ({ error }: Result) => (error === null ? accepted() : failed()),
    onGivenUp: (count: number) => {
      if (count > 0) givenUp(count)
    },
  }
}
