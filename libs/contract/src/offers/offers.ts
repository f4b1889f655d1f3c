/** The operations of the service `offers`. */
import * as z from 'zod'
import { internalForWorkspace, workspaceMember } from '../core/access.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import { catalogueOperations } from './catalogue.ts'
import { clusterUseOperations } from './cluster-use.ts'
import { installOperations } from './installs.ts'
import { channelPolicy } from './channel-policy.ts'
import { offerChannelOperations } from './offer-channels.ts'
import { offerInput, offerVariant } from './offer-input.ts'
import { orderLookupOperations } from './order-lookup.ts'
import { orderOperations } from './orders.ts'
import { publishedOfferOperations } from './published-offers.ts'
import { service } from '../core/operation.ts'
import { quotaOperations } from '../core/quotas.ts'
import { outboxOperations } from '../core/reading-events.ts'
import { sealingOperations } from '../core/sealing.ts'
import { nameText, text, wireId } from '../core/text.ts'

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
  put_package: {
    summary: 'Create a package, or rename it',
    access: internalForWorkspace,
    body: z.strictObject({ id: wireId('pkg', 55), name: nameText(200) }),
    output: z.object({ id: z.string() }),
    errors: ['Conflict', 'Unprocessable'],
    safe: true,
  },
  put_product: {
    summary: 'Create a product of a package, or rename it',
    access: internalForWorkspace,
    body: z.strictObject({ id: wireId('prod', 55), name: nameText(200), package_id: wireId('pkg', 55) }),
    output: z.object({ id: z.string() }),
    errors: ['Conflict', 'Unprocessable'],
    safe: true,
  },
  publish_package_version: {
    summary: 'Publish an immutable package version with its input schema',
    access: internalForWorkspace,
    body: z.strictObject({
      id: wireId('pkgv', 55),
      package_id: wireId('pkg', 55),
      version: nameText(100),
      input_schema: z.record(z.string(), z.unknown()),
    }),
    output: z.object({ id: z.string() }),
    errors: ['Conflict', 'Unprocessable'],
    safe: true,
  },
  set_current_version: {
    summary: 'Move the current package version of a product',
    access: internalForWorkspace,
    body: z.strictObject({ product_id: wireId('prod', 55), package_version_id: wireId('pkgv', 55) }),
    output: z.object({ id: z.string() }),
    errors: ['Unprocessable'],
    safe: true,
  },
  put_offer_channel: {
    summary: 'Create an offer channel of a product, or change its name or status',
    access: internalForWorkspace,
    body: z.strictObject({
      id: wireId('och', 54),
      product_id: wireId('prod', 55),
      name: nameText(200),
      status: z.enum(['active', 'inactive']),
    }),
    output: z.object({ id: z.string() }),
    errors: ['Conflict', 'Unprocessable'],
    safe: true,
  },
  publish_channel_policy: {
    summary: 'Publish the next immutable policy of an offer channel and make it the active one',
    access: internalForWorkspace,
    body: z.strictObject({ offer_channel_id: wireId('och', 54), policy: channelPolicy }),
    output: z.object({ number: z.int() }),
    errors: ['Unprocessable'],
  },
})
