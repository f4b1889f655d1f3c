/** Metrics of HTTP requests. */
import type { Metrics } from './metrics.ts'
import { byLabel, failures } from './metrics-outcome.ts'

/** Counts the answers of one route; `ms` as it took in milliseconds, where that is known. */
export type MeterRequest = (status: number, ms?: number) => void

/** @param operation `<service>.<name>`, or another route as `GET /path/:pattern`; never what a client sent */
export function meterRequests(metrics: Metrics, operation: string): MeterRequest {
  const count = byLabel(
    (status: number) => metrics.counter('svc_http_requests_total', { operation, status: `${status}` }),
    failures,
  )
  const observe = metrics.histogram('svc_http_request_duration_seconds', { operation })
  return (status, ms) => {
    count(status)
    if (ms !== undefined) observe(ms / 1000)
  }
}

export type CredentialKind = 'api_token' | 'session' | 'jwt'

/** Counts how requests with one kind of credential were admitted; `kept`: by an answer under a lease, without a look-up. */
export function meterLookups(metrics: Metrics, kind: CredentialKind) {
  const count = (outcome: string) => metrics.counter('svc_credential_lookups_total', { kind, outcome })
  const meter = {
    kept: count('kept'),
    found: count('found'),
    unknown: count('unknown'),
    failed: count('failed'),
  }
  for (const one of Object.values(meter)) one(0)
  return meter
}
