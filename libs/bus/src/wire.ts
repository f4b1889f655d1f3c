/** What an operation's message carries beside the body: docs/inside/bus.md. */
import { scaled } from '@svc/contract/core/deadline-scale'

/** Header names. Declared HTTP headers (Idempotency-Key, If-Match, ETag …) travel under their own names. */
export const header = {
  /** The caller as JSON, see `@svc/contract/caller`. */
  caller: 'Svc-Caller',
  requestId: 'Svc-Request-Id',
  /** From where the caller's request came, as the gateway sees it. */
  address: 'Svc-Address',
  /** Unix milliseconds; a service drops what it receives later. */
  deadline: 'Svc-Deadline',
  /**
   * Unix milliseconds of the database's clock: the caller was admitted by an answer that is good until then, and a service
   * refuses what comes later. Absent: they were looked up.
   */
  admittedUntil: 'Svc-Admitted-Until',
  /** In a reply: nothing was executed, as the request came after `admittedUntil`. */
  notAdmitted: 'Svc-Not-Admitted',
  /** Path parameters and query, each form-encoded, so that no value can break a header. */
  params: 'Svc-Params',
  query: 'Svc-Query',
  /** What the caller has used of the rate limits, as JSON, from the gateway to an operation that asks for it. */
  rateUse: 'Svc-Rate-Use',
  traceparent: 'traceparent',
  /** HTTP status of a reply. */
  status: 'Svc-Status',
  /** ADR-32. */
  errorCode: 'Nats-Service-Error-Code',
  error: 'Nats-Service-Error',
} as const

/** The longest budget; after this time the bus no longer lets a service answer (deploy/nats/nats.conf). */
export const maxBudgetMs = 30_000

/** A call's default budget, in milliseconds. */
export const defaultBudgetMs = Math.min(scaled(5000), maxBudgetMs)
