/** Offer channels over HTTP, and the numbered policies that decide the terms of their offers. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from '../core/access.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import { channelPolicy } from './channel-policy.ts'
import type { Operation } from '../core/operation.ts'
import { change, createdAt, idOf, nameText, page, pageQuery, pathId, text } from '../core/text.ts'

const named = { name: nameText(200).describe('For your workspace; customers do not see it.') }
const inPath = z.object({ id: pathId })
const numberInPath = inPath.extend({ number: pathId })
const status = z.enum(['active', 'inactive']).describe('Offers can be created for an `active` channel only.')

const offerChannel = z
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

const numberedPolicy = z
  .object({
    offer_channel_id: idOf('channel', 'och'),
    number: z.int().describe('Counted from 1 in each channel.'),
    active: z.boolean().describe('Whether it applies to new offers.'),
    policy: channelPolicy.describe('The terms; they never change under this number.'),
    created_at: createdAt,
  })
  .meta({ id: 'NumberedPolicy' })

export const offerChannelOperations = {
  create_offer_channel: {
    summary: 'Create an offer channel of a product',
    http: { method: 'POST', path: '/offer_channels', status: 201 },
    access: workspaceMember,
    headers: idempotencyHeaders,
    body: z.strictObject({
      product_id: text(1, 55).describe('The product that it sells.'),
      ...named,
      status: status.default('active').describe('Offers can be created for an `active` channel only.'),
    }),
    output: offerChannel,
    replyHeaders: ['Idempotent-Replayed'],
    errors: ['Conflict', 'Unprocessable'],
  },
  list_offer_channels: {
    summary: 'List the offer channels of the workspace, or of one product',
    http: { method: 'GET', path: '/offer_channels', status: 200 },
    access: workspaceMember,
    query: pageQuery.extend({ product_id: pathId.optional() }),
    output: page(offerChannel),
    errors: [],
    safe: true,
  },
  get_offer_channel: {
    summary: 'Read an offer channel',
    http: { method: 'GET', path: '/offer_channels/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: offerChannel,
    errors: ['NotFound'],
    safe: true,
  },
  update_offer_channel: {
    summary: 'Rename, activate or deactivate an offer channel',
    http: { method: 'PATCH', path: '/offer_channels/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    body: change({ name: named.name.optional(), status: status.optional() }),
    output: offerChannel,
    errors: ['NotFound'],
  },
  delete_offer_channel: {
    summary: 'Delete an offer channel with its policies, unless an offer refers to it',
    http: { method: 'DELETE', path: '/offer_channels/{id}', status: 204 },
    access: workspaceAdmin,
    params: inPath,
    errors: ['NotFound', 'Conflict'],
  },
  create_channel_policy: {
    summary: 'Publish the next immutable policy of an offer channel',
    http: { method: 'POST', path: '/offer_channels/{id}/policies', status: 201 },
    access: workspaceMember,
    params: inPath,
    body: z.strictObject({
      policy: channelPolicy.describe('The terms, under the next number of the channel.'),
      activate: z.boolean().default(false).describe('Whether it becomes active for new offers.'),
    }),
    output: numberedPolicy,
    errors: ['NotFound', 'Unprocessable'],
  },
  list_channel_policies: {
    summary: 'List the policies of an offer channel',
    http: { method: 'GET', path: '/offer_channels/{id}/policies', status: 200 },
    access: workspaceMember,
    params: inPath,
    query: pageQuery,
    output: page(numberedPolicy),
    errors: ['NotFound'],
    safe: true,
  },
  get_channel_policy: {
    summary: 'Read a policy of an offer channel',
    http: { method: 'GET', path: '/offer_channels/{id}/policies/{number}', status: 200 },
    access: workspaceMember,
    params: numberInPath,
    output: numberedPolicy,
    errors: ['NotFound'],
    safe: true,
  },
  activate_channel_policy: {
    summary: 'Make a policy the active one of its channel',
    http: { method: 'POST', path: '/offer_channels/{id}/policies/{number}/activate', status: 200 },
    access: workspaceMember,
    params: numberInPath,
    output: offerChannel,
    errors: ['NotFound'],
  },
} as const satisfies Record<string, Operation>
