import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { thePaidInstall } from '../installs-example-bodies.ts'
import { install as installSchema } from '../installs.ts'
import { install, secondInstall } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Cancel the subscription of an install that the workspace owns or sold',
  http: { method: 'POST', path: '/installs/{id}/cancel_subscription', status: 200 },
  access: workspaceAdmin,
  permission: 'installs:write',
  params: z.object({ id: pathId }),
  body: z
    .strictObject({
      at: z
        .enum(['period_end', 'now'])
        .optional()
        .describe('`period_end`, unless it is given: what is paid for can be used. `now`: at once.'),
    })
    .default({}),
  output: installSchema,
  errors: ['NotFound', 'Conflict'],
  event: 'subscriptions.cancel_planned',
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'installs cancel-subscription',
  page: '/installs/:id/cancel-subscription',
  group: 'Installs',
  description:
    'Either side can cancel, and calling again answers the same. `cancel_at` says when it ends; an outage of Stripe only delays when Stripe learns of it. Nothing is paid back.',
  codes: ['no_subscription'],
  examples: [
    {
      step: 932,
      summary: 'At the end of the period',
      by: 'customer',
      request: { params: { id: secondInstall } },
      answer: {
        body: {
          ...thePaidInstall,
          subscription: {
            ...thePaidInstall.subscription,
            cancel_at: thePaidInstall.subscription.paid_through,
          },
        },
      },
    },
    {
      step: 1035,
      summary: 'Nothing is paid',
      by: 'customer',
      request: { params: { id: install } },
      refusal: refusal('no_subscription'),
    },
  ],
})
