/** What this service asks of Stripe. */
import type { Log } from '@svc/runtime/log'
import type Stripe from 'stripe'
import type { Checkout } from '../checkout.ts'
import type { StripeSession } from './stripe-session.ts'

export interface StripeCheckout extends Checkout {
  readonly provider: 'stripe'
  readonly publicUrl: string
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** `deadline` in Unix milliseconds here and below. Each throws StripeFailure. */
  createSession(
    request: object,
    idempotencyKey: string,
    deadline: number,
  ): Promise<{ id: string; url: string }>
  /** Ends a session that can be paid. Answers what it is now: it may have been paid meanwhile. */
  endSession(id: string, deadline: number): Promise<StripeSession>
  /** What a session is now that cannot be paid any more. */
  retrieveSession(id: string, deadline: number): Promise<StripeSession>
  /** Ends a subscription, if it has not ended. */
  endSubscription(paid: Pick<PaidSession, 'subscription'>, deadline: number): Promise<void>
  /** Ends the subscription and sends back what was paid for it. To repeat it does no harm. */
  refund(paid: PaidSession, deadline: number): Promise<void>
  /** The message, if its signature is Stripe's; `now` in Unix milliseconds. */
  readEvent(bytes: Uint8Array, signature: string, now: number): Stripe.Event | undefined
  /** Whether this message is seen for the first time here: what comes again for days is told once. */
  firstOf(event: string): boolean
}

export interface PaidSession {
  readonly id: string
  readonly amount: number
  readonly subscription: string | null
  readonly invoice: string | null
  /** How often it was tried. */
  readonly tries: number
}
