/** Runs of CI that get a token for their ID token: docs/specification.md, R89 and R90. */
import * as z from 'zod'
import { forGateway } from '../core/access.ts'
import { workspaceId } from '../core/caller.ts'
import type { Operation } from '../core/operation.ts'
import { permissions } from '../core/permissions.ts'
import { secrets } from '../core/secrets.ts'
import { createdAt, idOf, text, unixSeconds } from '../core/text.ts'
import { credentialHash } from './credential-lookup.ts'

export const maxClaims = 100
/** `name` of a claim, such as `repository_id` or `https://example.com/team`. */
const claimName = text(1, 100)
const claimValue = text(1, 500)

/** The claims of a run that are texts: only these can be pinned. */
export const runClaims = z.record(claimName, claimValue)

export const pinnedClaims = runClaims
  .refine(claims => {
    const { length } = Object.keys(claims)
    return length >= 1 && length <= 10
  }, 'must have 1 to 10 claims')
  .meta({ minProperties: 1, maxProperties: 10 })

export const ciTrust = z
  .object({
    id: idOf('CI trust', 'trust'),
    name: z.string().describe('The label chosen by whoever created it.'),
    issuer: z.string().describe('The `iss` of the runs’ ID tokens.'),
    claims: runClaims.describe('What the claims of a run must be.'),
    permissions: z.array(z.string()).describe('What its tokens may do.'),
    minutes: z.int().describe('How long each of its tokens lives.'),
    created_at: createdAt,
    created_by: z.string().nullable().describe('The user; null: an internal program.'),
    last_used_at: unixSeconds
      .nullable()
      .describe('When a run last got a token, in Unix seconds; null: none did yet.'),
  })
  .meta({ id: 'CiTrust' })

export const maxCiAttempts = 20
export const ciAttemptDays = 7

export const ciAttempt = z
  .object({
    id: z.string().describe('The id of the attempt, `run_…`.'),
    issuer: z.string().describe('The `iss` of its ID token.'),
    claims: runClaims.describe('The claims of its ID token that are texts.'),
    suggested_claims: z.array(z.string()).describe('Names of claims that a trust for it should pin.'),
    attempted_at: unixSeconds.describe('The last time, in Unix seconds.'),
  })
  .meta({ id: 'CiAttempt' })

export const ciIssuer = z
  .object({
    issuer: z.string().describe('The `iss` of its ID tokens.'),
    name: z.string().describe('For people.'),
    must_pin: z
      .array(z.array(z.string()))
      .describe(
        'Sets of claims: a trust pins all of one set. `ref_protected=true`: this claim with this text.',
      ),
  })
  .meta({ id: 'CiIssuer' })

export const ciOperations = {
  exchange_id_token: {
    summary: 'Exchange the ID token of a CI run, once, for an API token (RFC 8693)',
    access: forGateway,
    body: z.strictObject({
      workspace: workspaceId,
      issuer: text(1, 500),
      /** The SHA-256 is that of issuer and `jti`. */
      token_hash: credentialHash,
      expires_at: unixSeconds.describe('When the ID token can no longer be accepted.'),
      claims: runClaims.refine(claims => Object.keys(claims).length <= maxClaims),
      permissions: z.array(z.enum(permissions)).min(1).optional().describe('Absent: those of the trust.'),
    }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.enum(['no_trust', 'invalid_scope', 'used']) }),
      z.object({
        outcome: z.literal('issued'),
        access_token: z.string().register(secrets),
        expires_in: z.int().describe('Seconds.'),
        permissions: z.array(z.string()),
      }),
    ]),
    errors: ['Unprocessable'],
    event: 'ci_trusts.used',
    narrows: false,
  },
} as const satisfies Record<string, Operation>
