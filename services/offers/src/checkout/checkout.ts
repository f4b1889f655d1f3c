import type { Call } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'

export interface OrderToPay {
  readonly id: string
  readonly workspace: string
  readonly email: string | null
  readonly name: string
  readonly price: {
    readonly currency: string
    readonly unit_amount: number
    readonly interval: 'month' | 'year'
  }
  readonly expires_at: number
}

export interface CheckoutDeps {
  readonly sql: Sql
  readonly now: () => number
  readonly eventWritten: () => void
  readonly call: Call
}

export interface Checkout {
  readonly provider: 'manual' | 'stripe'
  /** Returns the payment address, the same one while it can be used; null: the seller confirms the payment. */
  begin(order: OrderToPay, deps: CheckoutDeps): Promise<string | null>
}

/** The seller confirms payments made elsewhere. */
export const manualCheckout: Checkout = { provider: 'manual', begin: async () => null }
