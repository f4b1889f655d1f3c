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
  /** Ends a session that can be paid. Returns its current state: it may just have been paid. */
  endSession(id: string, deadline: number): Promise<StripeSession>
  retrieveSession(id: string, deadline: number): Promise<StripeSession>
  /** With `latest_invoice` expanded. */
  retrieveSubscription(id: string, deadline: number): Promise<object>
  /** The subscription whose payment is disputed. Undefined: there is none. */
  subscriptionOfDispute(dispute: string, deadline: number): Promise<string | undefined>
  changeSubscription(
    id: string,
    change: 'cancel_at_period_end' | 'cancel_now' | 'resume',
    idempotencyKey: string,
    deadline: number,
  ): Promise<void>
  /** Returns the address of a page for the customer of the subscription, which leads back to `back`. */
  openPortal(subscription: string, back: string, deadline: number): Promise<string>
  endSubscription(paid: Pick<PaidSession, 'subscription'>, deadline: number): Promise<void>
  /** Ends the subscription and refunds its payment. Can be repeated. */
  refund(paid: PaidSession, deadline: number): Promise<void>
  /** Verifies Stripe's signature; `now` in Unix milliseconds. */
  readEvent(bytes: Uint8Array, signature: string, now: number): Stripe.Event | undefined
  firstOf(event: string): boolean
}

export interface PaidSession {
  readonly id: string
  readonly amount: number
  readonly subscription: string | null
  readonly invoice: string | null
  readonly tries: number
}
