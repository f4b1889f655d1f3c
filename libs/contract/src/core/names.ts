/** Names beside ids, for pages that list ids of all services: one call to each service for a page. */
import * as z from 'zod'
import { workspaceMember } from './access.ts'
import type { Operation } from './operation.ts'
import { text } from './text.ts'

export const maxNames = 300

export const nameOperations = {
  find_names: {
    summary: 'Find what resources of the workspace are called, by their ids',
    access: { ...workspaceMember, credentials: ['session'], gateway: true },
    body: z.strictObject({ ids: z.array(text(1, 64)).max(maxNames) }),
    output: z.object({
      names: z.record(z.string(), z.string()).describe('By id; without those that are unknown.'),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
