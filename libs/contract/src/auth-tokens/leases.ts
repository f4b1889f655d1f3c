import * as z from 'zod'
import { forGateway } from '../core/access.ts'
import { mask, workspaceId } from '../core/caller.ts'
import type { Operation } from '../core/operation.ts'
import { anyText, text, unixSeconds } from '../core/text.ts'

/** By the database's clock. */
export const leaseMs = 3000
/** How long the holder uses a grant, counted from when it sent the renewal. */
export const usableMs = 2500
/** On average. */
export const renewEveryMs = 1000
/** A recall waits this much longer than the lease for a holder that does not answer. */
export const waitMarginMs = 250
/** No answer is used for longer, because somebody may change the tables by hand. */
export const longestUseMs = 30_000

export const recallSubject = (holder: string): string => `leases.recall.${holder}`
/** Where every holder listens. */
export const recallOfAll = recallSubject('all')

/** What an answer depends on, such as `api_token tok_…`. Only auth-tokens interprets it. */
export const principal = text(1, 200)

export const lease = z.object({
  principals: z.array(principal).min(1).max(8),
  ends_at: unixSeconds.nullable(),
  /** Networks in CIDR notation that the credential is accepted from; absent: anywhere. */
  allowed_addresses: z.array(z.string()).optional(),
})
export type Lease = z.infer<typeof lease>

export const recallMessage = z.object({ principals: z.array(z.string()) })

export const maxUses = 2000

const use = z.strictObject({ id: text(1, 64), at: unixSeconds })
const uses = z
  .array(use)
  .max(maxUses)
  .describe('Credentials that were used without a look-up, with the last time.')
const tokenUses = z
  .array(use.extend({ used: mask.optional().describe('The bitmap of the permissions that it used.') }))
  .max(maxUses)
  .describe('API tokens that were used, with the last time.')

export const maxRefusals = 500
export const maxCount = 1_000_000

const refusals = z
  .array(
    z.strictObject({
      token: text(1, 64),
      workspace: workspaceId,
      name: anyText(1, 254).nullable(),
      reason: text(1, 64),
      request_id: text(1, 200),
      address: text(1, 64),
      count: z.int().min(1).max(maxCount),
    }),
  )
  .max(maxRefusals)
  .describe('API tokens that were refused for what they asked for, each with the first such request.')

export const leaseOperations = {
  hold_leases: {
    summary: 'Renew the lease under which a gateway keeps the answers of resolve_credentials',
    access: forGateway,
    body: z.strictObject({
      holder: z
        .string()
        .regex(/^[0-9a-f-]{36}$/, 'must be a UUID')
        .describe('Of one process, made at random.'),
      /** The holder drops its cache and does not come back. */
      release: z.literal(true).optional(),
      api_tokens: tokenUses.optional(),
      sessions: uses.optional(),
      refusals: refusals.optional(),
    }),
    output: z.object({
      grant: z
        .string()
        .describe('A new one where the lease had ended: what was kept under the one before is void.'),
      until_ms: z.int().describe('By the database’s clock, in milliseconds since 1970.'),
    }),
    errors: [],
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
