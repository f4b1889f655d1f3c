/** Asks auth-tokens whose credential this is, and whether it may act in the workspace of `context`. */
import * as z from 'zod'
import { forGateway } from '../core/access.ts'
import { caller, workspaceId } from '../core/caller.ts'
import type { Operation } from '../core/operation.ts'
import { emailAddress } from '../core/email-address.ts'
import { text, unixSeconds, wireId } from '../core/text.ts'
import { lease } from './leases.ts'

/** The SHA-256 of the credential's text, in hex: the only form in which it crosses the bus. */
export const credentialHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')

const context = workspaceId.optional()
const kid = text(1, 64)

export const credentialLookup = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('api_token'),
    hash: credentialHash,
    // The key of a JWT that was exchanged for it, whose signature is checked: the JWT is valid as long as both.
    kid: kid.optional(),
    context,
  }),
  z.strictObject({ kind: z.literal('session'), hash: credentialHash, context }),
  // One of our JWTs, its signature already checked. It is valid as long as its key and its session.
  z.strictObject({ kind: z.literal('jwt'), session: wireId('sess'), kid, context }),
  // A JWT of an outside issuer, its signature already checked. It acts for the user with this verified address.
  z.strictObject({
    kind: z.literal('outside'),
    email: emailAddress,
    /** The claims `auth_time`, and `amr` with `mfa` (RFC 9068, 2.2.1). */
    auth_time: unixSeconds.optional(),
    with_factor: z.literal(true).optional(),
    context,
  }),
])
export type CredentialLookup = z.infer<typeof credentialLookup>

export const maxLookups = 256

export const credentialOperations = {
  resolve_credentials: {
    summary: 'Resolve credentials and the workspace that each acts in',
    access: forGateway,
    body: z.strictObject({
      lookups: z.array(credentialLookup).min(1).max(maxLookups),
      checks_addresses: z
        .literal(true)
        .optional()
        .describe('Without it, tokens that are accepted from some addresses only are not found.'),
    }),
    output: z.object({
      /** In the order of the look-ups; null: unknown or expired credential. */
      callers: z.array(caller.nullable()),
      /** Likewise; null: the answer must not be cached. */
      leases: z.array(lease.nullable()),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
