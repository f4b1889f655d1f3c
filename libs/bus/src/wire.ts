/** What an operation's message carries beside the body: design, "The bus". */

/** Header names. Declared HTTP headers (Idempotency-Key, If-Match, ETag …) travel under their own names. */
export const header = {
  /** Who calls: JSON, see `@svc/contract/caller`. */
  caller: 'Svc-Caller',
  requestId: 'Svc-Request-Id',
  /** Unix milliseconds; a service drops what it receives later. */
  deadline: 'Svc-Deadline',
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

/** A call's budget where nobody sets a deadline, in milliseconds. */
export const defaultBudgetMs = 5000

/** The longest budget; the bus forgets after this time whom a service may answer (deploy/nats/nats.conf). */
export const maxBudgetMs = 30_000
