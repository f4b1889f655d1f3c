/** What a workspace may have and send, and what of it is used. */
import * as z from 'zod'
import { workspaceMember } from './access.ts'
import type { Operation } from './operation.ts'
import { quotaUse } from './quotas.ts'

/** One of the limits on requests, as the gateway knows it for a caller. */
export const rateLimitUse = z.object({
  policy: z.enum(['credential', 'workspace']),
  limit: z.number().int().describe('Requests that may come at once.'),
  window_seconds: z.number().int().describe('After which all of them may come again.'),
  remaining: z.number().int(),
  resets_in_seconds: z.number().int(),
})
export type RateLimitUse = z.infer<typeof rateLimitUse>

const limits = z
  .object({
    rate_limits: z
      .array(rateLimitUse)
      .describe('Of this credential and of its workspace, over all gateways; empty where none is set.'),
    quotas: z
      .array(
        quotaUse.extend({
          used: z.number().int().describe('What the workspace has now.'),
          most: z.number().int().describe('What it may have; an operator may give it more.'),
          counts: z.string().describe('What is counted.'),
        }),
      )
      .describe('By name.'),
  })
  .meta({ id: 'Limits' })

export const limitsOperations = {
  get_limits: {
    summary: 'Get what the workspace may have and send, and what of it is used',
    http: { method: 'GET', path: '/limits', status: 200 },
    access: workspaceMember,
    rateUse: true,
    output: limits,
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
