import type { Price } from '@svc/contract/offers/channel-policy'
import { z } from 'zod'

/** What one reading says of a subscription, as columns of its row. Times in Unix seconds. */
export type Reading =
  | {
      readonly status: string
      readonly paid_through: number
      readonly period_ends_at: number
      readonly cancel_at: number | null
      readonly ended_at: number | null
      readonly end_reason: 'cancelled' | 'payment_failed' | 'payment_disputed' | null
      readonly problem: 'price_changed' | null
      readonly read_at: number
    }
  | { readonly problem: 'unreadable' | 'unknown_to_stripe'; readonly read_at: number }

/** https://docs.stripe.com/api/subscriptions/object, of API 2025-03-31 or later: periods stand on items. */
const subscription = z.object({
  status: z.enum([
    'active',
    'trialing',
    'past_due',
    'unpaid',
    'paused',
    'incomplete',
    'incomplete_expired',
    'canceled',
  ]),
  cancel_at: z.int().nullable(),
  ended_at: z.int().nullable(),
  cancellation_details: z.object({ reason: z.string().nullable() }).nullish(),
  latest_invoice: z.object({ status: z.string().nullable() }).nullable(),
  items: z.object({
    data: z
      .array(
        z.object({
          quantity: z.int().optional(),
          current_period_start: z.int(),
          current_period_end: z.int(),
          price: z.object({
            currency: z.string(),
            unit_amount: z.int().nullable(),
            recurring: z.object({ interval: z.string(), interval_count: z.int() }).nullable(),
          }),
        }),
      )
      .min(1),
  }),
})

const ended: readonly string[] = ['canceled', 'incomplete_expired']

/** @param object Stripe's subscription with `latest_invoice` expanded */
export function readSubscription(object: unknown, terms: Price, now: number): Reading {
  const read_at = Math.floor(now / 1000)
  const parsed = subscription.safeParse(object)
  if (!parsed.success) return { problem: 'unreadable', read_at }
  const { status, cancel_at, ended_at, cancellation_details, latest_invoice, items } = parsed.data
  const [item] = items.data as [(typeof items.data)[number]]
  const hasEnded = ended.includes(status)
  return {
    status,
    paid_through: latest_invoice?.status === 'paid' ? item.current_period_end : item.current_period_start,
    period_ends_at: item.current_period_end,
    cancel_at,
    ended_at: hasEnded ? (ended_at ?? read_at) : null,
    end_reason: hasEnded ? reasonOf(status, cancellation_details?.reason) : null,
    problem: isAgreed(items.data, terms) ? null : 'price_changed',
    read_at,
  }
}

function reasonOf(status: string, reason: string | null | undefined) {
  if (status === 'incomplete_expired' || reason === 'payment_failed') return 'payment_failed'
  return reason === 'payment_disputed' ? reason : 'cancelled'
}

const isAgreed = (items: z.infer<typeof subscription>['items']['data'], terms: Price): boolean =>
  items.length === 1 &&
  items.every(
    ({ quantity = 1, price }) =>
      quantity === 1 &&
      price.currency === terms.currency &&
      price.unit_amount === terms.unit_amount &&
      price.recurring?.interval === terms.interval &&
      price.recurring.interval_count === 1,
  )
