/** Who takes the payment of an order. */

export interface Checkout {
  readonly provider: 'manual' | 'stripe'
}

/** The seller confirms what was paid elsewhere. */
export const manualCheckout: Checkout = { provider: 'manual' }
