import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { ofChannel, policy, thePolicy } from '../catalogue-example-bodies.ts'
import { channelPolicy } from '../channel-policy.ts'
import { inPath, numberedPolicy } from '../offer-channels.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Publish the next immutable policy of an offer channel',
  http: { method: 'POST', path: '/offer_channels/{id}/policies', status: 201 },
  access: workspaceMember,
  permission: 'catalogue:write',
  params: inPath,
  body: z.strictObject({
    policy: channelPolicy.describe('The terms, under the next number of the channel.'),
    activate: z.boolean().default(false).describe('Whether it becomes active for new offers.'),
  }),
  output: numberedPolicy,
  errors: ['NotFound', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'channels policies publish',
    examples: [
      'channels policies publish och_01h455vb4pex5vsknk084sn02q --policy policy.json --activate',
      'channels policies publish och_01h455vb4pex5vsknk084sn02q --policy - < policy.json',
    ],
  },
  page: '/catalogue/channels/:id/policies/new',
  group: 'Offer channels',
  description:
    'Policies are numbered from 1 and never change. A price range has a `default_price` within it, for offers that request none; `default_commercial_mode` is for those that name none. So `product_id` and `offer_channel_id` are all that an active channel needs. With `activate`, the policy applies to new offers from now on; existing offers keep their terms.',
  codes: ['quota_exceeded'],
  examples: [
    {
      step: 500,
      summary: 'A policy that applies from now on',
      by: 'script',
      request: { ...ofChannel, body: { policy, activate: true } },
      answer: { body: thePolicy },
    },
    {
      step: 510,
      summary: 'The default price is outside the allowed range',
      by: 'script',
      request: {
        ...ofChannel,
        body: { policy: { ...policy, pricing: { ...policy.pricing, min_unit_amount: 5000 } } },
      },
      refusal: refusal('invalid_body', {
        path: ['policy', 'pricing', 'default_price', 'unit_amount'],
        message: 'policy.pricing.default_price.unit_amount must be from 5000 to 50000.',
        metadata: { min: '5000', max: '50000' },
      }),
    },
  ],
})
