import type Stripe from 'stripe'
import { z } from 'zod'
import type { OrderToPay } from '../checkout.ts'

const minute = 60_000
// Stripe requires 30 minutes to 24 hours from its own current time, which may be some minutes later than ours.
const shortestMs = 35 * minute
const longestMs = 24 * 60 * minute - 5 * minute

/** Unix milliseconds, at a full second: the order's expiry, within Stripe's limits. */
export const sessionEnd = (expiresAt: number, now: number): number =>
  Math.floor(Math.min(Math.max(expiresAt, now + shortestMs), now + longestMs) / 1000) * 1000

export function sessionRequest(
  { id, email, name, price }: OrderToPay,
  publicUrl: string,
  endsAt: number,
): Stripe.Checkout.SessionCreateParams {
  const page = `${publicUrl}/orders/${id}`
  const { currency, unit_amount, interval } = price
  return {
    mode: 'subscription',
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount, recurring: { interval }, product_data: { name } },
      },
    ],
    // A customer with nothing to pay is not asked for a card.
    payment_method_collection: 'if_required',
    client_reference_id: id,
    ...(email !== null && { customer_email: email }),
    subscription_data: { metadata: { order_id: id } },
    success_url: page,
    cancel_url: page,
    expires_at: endsAt / 1000,
  }
}

const subscription = z.object({ id: z.string(), status: z.string() })
const reference = z
  .union([z.string(), z.object({ id: z.string() })])
  .nullish()
  .transform(value => (typeof value === 'object' && value !== null ? value.id : (value ?? null)))

export const stripeSession = z
  .object({
    id: z.string(),
    status: z.string().nullable(),
    payment_status: z.string(),
    amount_total: z.int().nullable(),
    currency: z.string().nullable(),
    metadata: z.record(z.string(), z.string()).nullish(),
    subscription: z.union([subscription, reference]),
    invoice: reference,
  })
  // The subscription's status is present only if it was requested expanded. Messages have only its id.
  .transform(({ subscription, ...session }) => ({
    ...session,
    subscription: typeof subscription === 'object' ? (subscription?.id ?? null) : subscription,
    subscription_status: typeof subscription === 'object' ? (subscription?.status ?? null) : null,
  }))
export type StripeSession = z.infer<typeof stripeSession>
