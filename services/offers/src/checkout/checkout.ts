/** Who takes the payment of an order. Which one an order has is settled when its payment falls due. */
import type { Call } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'

/** An order whose payment is due. */
export interface OrderToPay {
  readonly id: string
  /** The customer's. */
  readonly workspace: string
  /** Verified. */
  readonly email: string | null
  /** What is paid for. */
  readonly name: string
  readonly price: {
    readonly currency: string
    readonly unit_amount: number
    readonly interval: 'month' | 'year'
  }
  /** Unix milliseconds. */
  readonly expires_at: number
}

/** What it is begun with, of what every handler gets. */
export interface CheckoutDeps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly eventWritten: () => void
  readonly call: Call
}

export interface Checkout {
  readonly provider: 'manual' | 'stripe'
  /** Answers where to pay; null: the seller confirms the payment. The same again for as long as it can be paid there. */
  begin(order: OrderToPay, deps: CheckoutDeps): Promise<string | null>
}

/** The seller confirms what was paid elsewhere. */
export const manualCheckout: Checkout = { provider: 'manual', begin: async () => null }
