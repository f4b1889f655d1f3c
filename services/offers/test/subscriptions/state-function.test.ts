// What a subscription is follows from what Stripe says, the days of grace and now, and from nothing else.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSubscription } from '../../src/subscriptions/stripe/read-subscription.ts'
import { shareBench } from '../in-process.ts'

const bench = forFile(shareBench)

const day = 86_400
const price = { currency: 'eur', unit_amount: 100, interval: 'month' } as const
const [start, end] = [1_800_000_000, 1_800_000_000 + 30 * day]

test('any status, payment, grace and time make the state of the written rule', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        ...['active', 'trialing', 'past_due', 'unpaid', 'paused'],
        ...['incomplete', 'incomplete_expired', 'canceled'],
      ),
      fc.boolean(),
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom(start, end),
      fc.constantFrom(-1, 0, 1),
      fc.boolean(),
      async (status, isPaid, grace_days, from, off, afterGrace) => {
        const now = from + (afterGrace ? grace_days * day : 0) + off
        const reading = readSubscription(
          {
            status,
            cancel_at: null,
            ended_at: null,
            latest_invoice: { status: isPaid ? 'paid' : 'open' },
            items: {
              data: [
                {
                  current_period_start: start,
                  current_period_end: end,
                  price: { ...price, recurring: { interval: 'month', interval_count: 1 } },
                },
              ],
            },
          },
          price,
          now * 1000,
        )
        const row = { ...reading, provider: 'stripe', grace_days }
        const [said] = await bench.sql`
          select offers.subscription_state(
            jsonb_populate_record(null::offers.subscriptions, ${bench.sql.json(row)}), ${now * 1000}
          ) as state`
        expect(said?.state).toBe(written(status, isPaid ? end : start, grace_days, now))
      },
    ),
    { numRuns: sized(200, 3000) },
  )
})

function written(status: string, paidThrough: number, graceDays: number, now: number): string {
  if (status === 'canceled' || status === 'incomplete_expired') return 'ended'
  if (status === 'active' || status === 'trialing' || now < paidThrough) return 'active'
  return now < paidThrough + graceDays * day ? 'past_due' : 'lapsed'
}
