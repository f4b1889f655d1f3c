/** Look-ups of orders by the gateway's pages, before the workspace is known. */
import * as z from 'zod'
import { forGateway } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { orderStates } from './orders.ts'
import { pathId, text } from '../core/text.ts'

export const orderLookupOperations = {
  find_order_workspace: {
    summary: 'Find the workspace that placed an order',
    access: forGateway,
    params: z.object({ id: pathId }),
    output: z.object({ workspace_id: z.string() }),
    errors: ['NotFound'],
    safe: true,
  },
  find_latest_order: {
    summary: 'Find a person’s latest order from an offer, in any workspace',
    access: forGateway,
    params: z.object({ short_hash: pathId }),
    body: z.strictObject({ user_id: text(1, 64) }),
    output: z.object({
      order: z.object({ id: z.string(), state: z.enum(orderStates), workspace_id: z.string() }).nullable(),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
