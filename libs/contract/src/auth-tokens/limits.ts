import * as z from 'zod'
import { quotaUse } from '../core/quotas.ts'

/** One of the limits on requests, as the gateway counts it for a caller. */
export const rateLimitUse = z.object({
  policy: z.enum(['credential', 'workspace']).describe('Whose requests are counted together.'),
  limit: z.number().int().describe('Requests that may be sent at once.'),
  window_seconds: z.number().int().describe('Seconds after which the full number is available again.'),
  remaining: z.number().int().describe('Requests that may still be sent now.'),
  resets_in_seconds: z.number().int().describe('Seconds until all of `limit` is available again.'),
})
export type RateLimitUse = z.infer<typeof rateLimitUse>

export const limits = z
  .object({
    rate_limits: z
      .array(rateLimitUse)
      .describe('Limits of this credential and its workspace across all gateways; empty if none are set.'),
    quotas: z
      .array(
        quotaUse.extend({
          used: z.number().int().describe('How much the workspace uses now.'),
          most: z.number().int().describe('The maximum; an operator can raise it.'),
          counts: z.string().describe('What is counted.'),
        }),
      )
      .describe('By name.'),
  })
  .meta({ id: 'Limits' })
