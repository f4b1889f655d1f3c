import * as z from 'zod'
import { channelPolicy } from './channel-policy.ts'
import { createdAt, idOf, nameText, pathId } from '../core/text.ts'

export const named = { name: nameText(200).describe('For your workspace; customers do not see it.') }
export const inPath = z.object({ id: pathId })
export const numberInPath = inPath.extend({ number: pathId })
export const status = z
  .enum(['active', 'inactive'])
  .describe('Offers can be created for an `active` channel only.')

export const offerChannel = z
  .object({
    id: idOf('channel', 'och'),
    product_id: idOf('product that it sells', 'prod'),
    name: z.string().describe('For your workspace; customers do not see it.'),
    status,
    active_policy: z
      .int()
      .nullable()
      .describe('The number of the policy that new offers get; null: none, and offers are refused.'),
    created_at: createdAt,
  })
  .meta({ id: 'OfferChannel' })

export const numberedPolicy = z
  .object({
    offer_channel_id: idOf('channel', 'och'),
    number: z.int().describe('Counted from 1 in each channel.'),
    active: z.boolean().describe('Whether it applies to new offers.'),
    policy: channelPolicy.describe('The terms; they never change under this number.'),
    created_at: createdAt,
  })
  .meta({ id: 'NumberedPolicy' })
