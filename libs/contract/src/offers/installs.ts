import * as z from 'zod'
import { providers } from './orders.ts'
import { createdAt, idOf, unixSeconds } from '../core/text.ts'

/** An install starts as `started`; offers does not follow it further until its owner removes it. */
export const installStates = ['started', 'removed'] as const

export const subscriptionStates = ['active', 'past_due', 'lapsed', 'ended'] as const

export const subscriptionState = z
  .enum(subscriptionStates)
  .describe(
    '`past_due`: not paid for the current period, and works; `lapsed`: not paid for longer than `grace_until`, until a payment comes; `ended` for good.',
  )

export const subscription = z
  .object({
    provider: providers.describe('Who takes the payments: the seller, or Stripe.'),
    state: subscriptionState,
    paid_through: unixSeconds
      .nullable()
      .describe(
        'Unix seconds; null: not known, since it was paid before this was kept; such a one is `active`.',
      ),
    grace_until: unixSeconds
      .nullable()
      .describe('Unix seconds: `paid_through` and the `grace_days` of the terms. Null: not known.'),
    cancel_at: unixSeconds.nullable().describe('Unix seconds of its planned end; null: it goes on.'),
    ended_at: unixSeconds.nullable().describe('Unix seconds; null: it has not ended.'),
    end_reason: z
      .enum(['cancelled', 'payment_failed', 'payment_disputed', 'removed'])
      .nullable()
      .describe('Why it ended; null: it has not.'),
    problem: z
      .enum(['price_changed', 'unreadable', 'unknown_to_stripe'])
      .nullable()
      .describe(
        'What Stripe says that does not fit the terms, or cannot be read; the state is the last known one.',
      ),
    read_at: unixSeconds
      .nullable()
      .describe('Unix seconds at which Stripe was last asked; null: not yet, or never.'),
  })
  .meta({ id: 'Subscription' })

export const install = z
  .object({
    id: idOf('install', 'inst'),
    state: z
      .enum(installStates)
      .describe('`started` when the order completes; `removed` once its owner has reported that.'),
    workspace_id: z.string().describe('Whose install it is.'),
    seller_workspace_id: z.string().describe('Whose offer it came from.'),
    offer_id: idOf('offer', 'offer'),
    order_id: idOf('order', 'order'),
    product_id: z
      .string()
      .nullable()
      .describe('The product, `prod_…`; null: an offer of a package version alone.'),
    package_version_id: idOf('package version', 'pkgv'),
    version: z.string().describe('The seller’s name for the version: `1.4.0`.'),
    cluster_id: z
      .string()
      .nullable()
      .describe('The owner’s cluster it runs in, `clus_…`; null: none was named.'),
    field_values: z
      .record(z.string(), z.unknown())
      .describe(
        'As submitted, with the values that the seller locked. Values of `format: password` are replaced by `{"$sealed": true}`.',
      ),
    subscription: subscription.nullable().describe('What is paid for it; null: nothing was paid.'),
    created_at: createdAt,
    removed_at: unixSeconds.nullable().describe('Unix seconds; null: it was not removed.'),
  })
  .meta({ id: 'Install' })

export const installWithInstructions = install
  .extend({
    instructions: z
      .string()
      .nullable()
      .describe(
        'What to do now, in Markdown, as the seller wrote it for this version, with the values of this install; null: none. Values of `format: password` are replaced by dots.',
      ),
  })
  .meta({ id: 'InstallWithInstructions' })
