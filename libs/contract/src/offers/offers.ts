/** The operations of the service `offers`. */
import * as z from 'zod'
import { workspaceMember } from '../core/access.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import { catalogueOperations } from './catalogue.ts'
import { clusterUseOperations } from './cluster-use.ts'
import { installOperations } from './installs.ts'
import { offerChannelOperations } from './offer-channels.ts'
import { offerInput, offerVariant } from './offer-input.ts'
import { orderLookupOperations } from './order-lookup.ts'
import { orderOperations } from './orders.ts'
import { publishedOfferOperations } from './published-offers.ts'
import { service } from '../core/operation.ts'
import { quotaOperations } from '../core/quotas.ts'
import { outboxOperations } from '../core/reading-events.ts'
import { sealingOperations } from '../core/sealing.ts'
import { text } from '../core/text.ts'

export { type ChannelPolicy, channelPolicy } from './channel-policy.ts'

export const offers = service('offers', {
  create_offer: {
    summary: 'Create an offer',
    http: { method: 'POST', path: '/offers', status: 201 },
    access: workspaceMember,
    headers: idempotencyHeaders,
    body: offerInput,
    variant: offerVariant,
    output: z
      .object({
        id: text(1, 56).describe('The id of the offer, `offer_…`.'),
        short_hash: z.string().describe('Customers reach the offer at `/i/<short_hash>`.'),
      })
      .meta({ id: 'CreatedOffer' }),
    replyHeaders: ['Idempotent-Replayed'],
    errors: ['Conflict', 'Unprocessable'],
  },
  ...publishedOfferOperations,
  ...orderOperations,
  ...orderLookupOperations,
  ...installOperations,
  ...catalogueOperations,
  ...offerChannelOperations,
  ...clusterUseOperations,
  ...sealingOperations,
  ...quotaOperations,
  ...outboxOperations,
})
