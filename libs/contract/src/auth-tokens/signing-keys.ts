/** Short-lived JWTs (RFC 9068) for sessions and API tokens (RFC 8693), and the keys that sign them. */
import * as z from 'zod'
import { forGateway, internal } from '../core/access.ts'
import { credentialHash } from './credential-lookup.ts'
import type { Operation } from '../core/operation.ts'
import { workspaceId } from '../core/caller.ts'
import { permissions, wholeAccount } from '../core/permissions.ts'
import { clientId } from './sessions.ts'
import { text, unixSeconds } from '../core/text.ts'

const kid = text(1, 64)

/** How long a JWT of ours lives. */
export const jwtLifetimeSeconds = 600

const scope = z
  .union([z.literal(wholeAccount), z.array(z.enum(permissions)).min(1).max(permissions.length)])
  .optional()
  .describe('Absent: what the subject may.')

export const signingKeyOperations = {
  exchange_session: {
    summary: 'Exchange a session or API token for a JWT of ten minutes that may the same or less (RFC 8693)',
    access: forGateway,
    body: z.strictObject({
      hash: credentialHash,
      client_id: clientId.optional(),
      scope,
    }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.enum(['invalid_session', 'invalid_client', 'invalid_scope']) }),
      z.object({
        outcome: z.literal('issued'),
        access_token: z.string(),
        permissions: z.array(z.enum(permissions)).optional().describe('Absent: all that the person may.'),
        workspace_id: z.string().optional().describe('Of a session that is bound to it.'),
        only_from: z
          .object({
            networks: z.array(z.string()),
            token: z.object({ id: z.string(), workspace: workspaceId, name: z.string() }),
          })
          .optional()
          .describe('Of an API token: whoever asked must be in one of these networks.'),
        expires_in: z.int().describe('Seconds.'),
      }),
    ]),
    errors: [],
    safe: true,
    narrows: false,
  },
  list_signing_keys: {
    summary: 'List the signing keys in use: next, active and retired',
    access: forGateway,
    output: z.object({
      keys: z.array(
        z.object({
          kid,
          state: z.enum(['next', 'active', 'retired']),
          /** RFC 7517; only the public part. */
          public_jwk: z.record(z.string(), z.string()),
          created_at: unixSeconds,
        }),
      ),
    }),
    errors: [],
    safe: true,
  },
  rotate_signing_keys: {
    summary: 'Retire the active key, start signing with the next one, and create another next one',
    access: internal,
    output: z.object({ retired: kid, active: kid, next: kid }),
    errors: ['Conflict'],
    narrows: false,
  },
  remove_signing_key: {
    summary: 'Remove a retired key: everything it signed is refused as soon as this call returns',
    access: internal,
    body: z.strictObject({ kid }),
    errors: ['NotFound', 'Conflict'],
    event: 'signing_keys.removed',
    narrows: true,
  },
} as const satisfies Record<string, Operation>
