import { workspaceMember } from '../../core/access.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { text } from '../../core/text.ts'
import { theChannel } from '../catalogue-example-bodies.ts'
import { named, offerChannel, status } from '../offer-channels.ts'
import { at, product, spare } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create an offer channel of a product',
  http: { method: 'POST', path: '/offer_channels', status: 201 },
  access: workspaceMember,
  permission: 'catalogue:write',
  headers: idempotencyHeaders,
  body: z.strictObject({
    product_id: text(1, 55).describe('The product that it sells.'),
    ...named,
    status: status.default('active').describe('Offers can be created for an `active` channel only.'),
  }),
  output: offerChannel,
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['Conflict', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'channels create',
    examples: ["channels create --product prod_01h455vb4pex5vsknk084sn02q --name 'Resellers'"],
  },
  page: '/catalogue/channels/new',
  group: 'Offer channels',
  description: 'A new channel has no policy, and without an active one no offers can be created through it.',
  codes: ['key_reused', 'unknown_reference', 'quota_exceeded'],
  examples: [
    {
      step: 490,
      summary: 'A channel without a policy yet',
      by: 'script',
      request: { body: { product_id: product, name: 'Partners' } },
      answer: { body: { ...theChannel, active_policy: null } },
    },
    {
      step: 1470,
      summary: 'The draft’s channel',
      by: 'script',
      aside: true,
      request: { body: { product_id: spare('prod'), name: 'Draft', status: 'inactive' } },
      answer: {
        body: {
          id: spare('och'),
          product_id: spare('prod'),
          name: 'Draft',
          status: 'inactive',
          active_policy: null,
          created_at: at(7000),
        },
      },
    },
  ],
})
