/** What the pages of the gateway ask about orders before they know in which workspace somebody acts. */
import * as z from 'zod'
import { forGateway } from './access.ts'
import type { Operation } from './operation.ts'
import { orderStates } from './orders.ts'
import { pathId, text } from './text.ts'

export const orderLookupOperations = {
  find_order_workspace: {
    summary: 'Which workspace placed an order',
    access: forGateway,
    params: z.object({ id: pathId }),
    output: z.object({ workspace_id: z.string() }),
    errors: ['NotFound'],
    safe: true,
  },
  find_latest_order: {
    summary: 'The latest order of a person from an offer, in whatever workspace',
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
