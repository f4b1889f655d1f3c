import { scaled } from '@svc/contract/core/deadline-scale'

/** Header names. Declared HTTP headers (Idempotency-Key, If-Match, ETag …) travel under their own names. */
export const header = {
  /** The caller as JSON, see `@svc/contract/caller`. */
  caller: 'Svc-Caller',
  requestId: 'Svc-Request-Id',
  /** The address of the caller's request, as the gateway sees it. */
  address: 'Svc-Address',
  /** Unix milliseconds; a service drops what it receives later. */
  deadline: 'Svc-Deadline',
  /**
   * Unix milliseconds of the database's clock. The answer that admitted the caller is valid until then, and a
   * service refuses later calls. Absent: the caller was looked up.
   */
  admittedUntil: 'Svc-Admitted-Until',
  /** In a reply: nothing was executed, because the request came after `admittedUntil`. */
  notAdmitted: 'Svc-Not-Admitted',
  /** Path parameters and query, each form-encoded, so that no value can break a header. */
  params: 'Svc-Params',
  query: 'Svc-Query',
  /** The caller's use of the rate limits as JSON, for operations that ask for it. */
  rateUse: 'Svc-Rate-Use',
  traceparent: 'traceparent',
  /** In a reply: the replica that sent it, unless it is leaving or has no subject of its own for the operation. */
  replica: 'Svc-Replica',
  status: 'Svc-Status',
  /** ADR-32. */
  errorCode: 'Nats-Service-Error-Code',
  error: 'Nats-Service-Error',
} as const

/** The longest budget; after this time the bus no longer lets a service answer (deploy/nats/nats.conf). */
export const maxBudgetMs = 30_000

/** In milliseconds. */
export const defaultBudgetMs = Math.min(scaled(5000), maxBudgetMs)
