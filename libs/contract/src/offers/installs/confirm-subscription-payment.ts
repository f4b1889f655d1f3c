import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId, unixSecondsFrom } from '../../core/text.ts'
import { thePaidInstall } from '../installs-example-bodies.ts'
import { install as installSchema } from '../installs.ts'
import { at, install, secondInstall } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Confirm the payment of the next period of an install that the workspace sold',
  http: { method: 'POST', path: '/installs/{id}/confirm_payment', status: 200 },
  access: workspaceMember,
  permission: 'orders:decide',
  params: z.object({ id: pathId }),
  body: z.strictObject({
    after: unixSecondsFrom(1)
      .nullable()
      .describe('The `paid_through` that you saw. The same confirmation again changes nothing.'),
    paid_through: unixSecondsFrom(1)
      .optional()
      .describe('Unix seconds; otherwise to the next end of a period, counted from the first payment.'),
  }),
  output: installSchema,
  errors: ['NotFound', 'Conflict'],
  event: 'subscriptions.renewed',
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'installs confirm-payment', options: { after: { none: 'null' } } },
  page: '/installs/:id/confirm-payment',
  group: 'Installs',
  description:
    'The seller confirms a payment that came after the first one. Only for the provider `manual`. Where `after` is not the present `paid_through`, the `state` in `metadata` is `outdated`.',
  codes: ['no_subscription', 'wrong_state', 'paid_elsewhere'],
  examples: [
    {
      step: 936,
      summary: 'Another month',
      by: 'script',
      request: { params: { id: secondInstall }, body: { after: thePaidInstall.subscription.paid_through } },
      answer: {
        body: {
          ...thePaidInstall,
          subscription: {
            ...thePaidInstall.subscription,
            paid_through: at(30 * 86_400 + 120),
            grace_until: at(30 * 86_400 + 180),
          },
        },
      },
    },
    {
      step: 1037,
      summary: 'Nothing is paid',
      by: 'script',
      request: { params: { id: install }, body: { after: null } },
      refusal: refusal('no_subscription'),
    },
  ],
})
