import Stripe from 'stripe'

/**
 * How a request to Stripe failed:
 * - `unreachable`: no answer in time; whether it was executed is unknown, and the same idempotency key finds out
 * - `busy`: not executed; try again later
 * - `fault`: whether it was executed is unknown, and Stripe repeats its answer for the same idempotency key for a
 * day
 * - `refused`: not executed, and never will be
 */
export type FailureKind = 'unreachable' | 'busy' | 'fault' | 'refused'

/**
 * The facts about a failure of Stripe that may be logged. The package's own errors carry headers, and Stripe's
 * texts quote parts of the secret key and of the request.
 */
export class StripeFailure extends Error {
  readonly kind: FailureKind
  readonly code: string | undefined
  readonly facts: Readonly<Record<string, unknown>>

  constructor(kind: FailureKind, { code, ...facts }: { code?: string } & Record<string, unknown> = {}) {
    super(`Stripe: ${kind}${code ? `, ${code}` : ''}`)
    this.name = 'StripeFailure'
    this.kind = kind
    this.code = code
    this.facts = { kind, stripe_code: code, ...facts }
  }
}

export function stripeFailure(error: unknown): StripeFailure {
  if (!(error instanceof Stripe.errors.StripeError)) return new StripeFailure('unreachable')
  const { type, code, param, statusCode, requestId } = error
  const facts = { type, code, param, status: statusCode, stripe_request_id: requestId }
  return new StripeFailure(kindOf(error), facts)
}

function kindOf(error: Stripe.errors.StripeError): FailureKind {
  if (error instanceof Stripe.errors.StripeConnectionError) return 'unreachable'
  const status = error.statusCode
  // An answer that is not JSON comes from something in between.
  if (status === undefined) return 'unreachable'
  // 409: another request with this idempotency key is being executed.
  if (status === 429 || status === 409) return 'busy'
  return status >= 500 ? 'fault' : 'refused'
}
