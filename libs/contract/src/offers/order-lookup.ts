/** The gateway's pages look up orders before the workspace is known, and who takes payments; mail needs facts. */
import * as z from 'zod'
import { browser, forGateway, internal } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { orderStates, providerDescription, providers } from './orders.ts'
import { offerTerms } from './published-offers.ts'
import { pathId, text, unixSeconds } from '../core/text.ts'

export const orderLookupOperations = {
  find_order_workspace: {
    summary: 'Find the workspaces of both sides of an order',
    access: forGateway,
    params: z.object({ id: pathId }),
    output: z.object({ workspace_id: z.string(), seller_workspace_id: z.string() }),
    errors: ['NotFound'],
    safe: true,
  },
  find_latest_order: {
    summary:
      'Find a person’s latest order from an offer, in any workspace; a cancelled one only if there is no other',
    access: forGateway,
    params: z.object({ short_hash: pathId }),
    body: z.strictObject({
      user_id: text(1, 64),
      except: text(1, 64).optional().describe('The latest one other than this order.'),
    }),
    output: z.object({
      order: z
        .object({
          id: z.string(),
          state: z.enum(orderStates),
          workspace_id: z.string(),
          created_at: unixSeconds,
        })
        .nullable(),
    }),
    errors: [],
    safe: true,
  },
  read_checkout_provider: {
    summary: 'Read who takes the payments of new orders',
    access: browser,
    output: z.object({ provider: providers.describe(providerDescription) }),
    errors: [],
    safe: true,
  },
  read_order_facts: {
    summary: 'Read what mail about orders says: nothing that was filled in, and no notes of the seller',
    access: internal,
    body: z.strictObject({ ids: z.array(text(1, 64)).max(100) }),
    output: z.object({
      orders: z
        .array(
          z.object({
            id: z.string(),
            reference: z.string(),
            offer_id: z.string(),
            product: z.string().describe('Of the product, or of the package of an offer without a product.'),
            seller_workspace_id: z.string(),
            workspace_id: z.string(),
            user_id: z.string().nullable().describe('Null: an API token ordered.'),
            email: z.string().nullable(),
            terms: offerTerms.pick({ commercial_mode: true, price: true }),
            payment_instructions: z.string().nullable(),
            next_steps: z.string().nullable().describe('The instructions of the version, without values.'),
            provider: providers.nullable().describe('Null: no payment has been due.'),
            reason: z.string().nullable(),
            expires_at: unixSeconds,
            max_uses: z.int().nullable(),
            redeemed: z.int(),
          }),
        )
        .describe('Those that there are.'),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
