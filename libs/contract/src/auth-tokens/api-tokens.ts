import * as z from 'zod'
import { permissions, presetNames } from '../core/permissions.ts'
import { secrets } from '../core/secrets.ts'
import { createdAt, idOf, text, unixSeconds } from '../core/text.ts'

export const maxNetworks = 20

/** What a token may be narrowed to when it is created and later. */
export const narrowedTo = {
  permissions: z
    .union([z.enum(presetNames), z.array(z.enum(permissions)).min(1).max(40)])
    .describe(
      'What the token may do, or `read` (reads all that a member may) or `ci` (reads and writes catalogue and offers).',
    ),
  allowed_addresses: z
    .array(text(1, 64))
    .min(1)
    .max(maxNetworks)
    .describe('Networks that the token is accepted from, in CIDR notation or as addresses.'),
}

const narrowing = {
  permissions: z
    .array(z.string())
    .nullable()
    .describe('What the token may do, within the role `member`; null: all of it.'),
  allowed_addresses: z
    .array(z.string())
    .nullable()
    .describe('Networks that the token is accepted from, in CIDR notation; null: from anywhere.'),
}

export const createdApiToken = z
  .object({
    id: idOf('token', 'tok'),
    name: z.string().describe('The label chosen by whoever created it.'),
    token: z
      .string()
      .describe('The secret, `sk_svc_…`. Shown only once; it cannot be read later.')
      .register(secrets),
    permissions: narrowing.permissions
      .unwrap()
      .optional()
      .describe('As chosen; absent: all that a member may.'),
    allowed_addresses: narrowing.allowed_addresses
      .unwrap()
      .optional()
      .describe('As chosen, each in its shortest form; absent: accepted from anywhere.'),
    expires_at: unixSeconds.optional().describe('Unix seconds; absent: the token does not expire.'),
  })
  .meta({ id: 'CreatedApiToken' })

export const apiToken = z
  .object({
    id: idOf('token', 'tok'),
    name: z.string().describe('The label chosen by whoever created it.'),
    hint: z.string().describe('The last four characters of the secret.'),
    created_at: createdAt,
    created_by: z.string().nullable().describe('The user; null: an internal program, or a CI run.'),
    last_used_at: unixSeconds
      .nullable()
      .describe('Unix seconds, written every few seconds; null: not used yet.'),
    expires_at: unixSeconds.nullable().describe('Unix seconds; null: it does not expire.'),
    previous_expires_at: unixSeconds
      .nullable()
      .describe(
        'Until when the secret of before the last rotation works, in Unix seconds; null: it has ended.',
      ),
    stale: z.boolean().describe('Not used for a year.'),
    ends_with_creator: z
      .boolean()
      .optional()
      .describe(
        'Whether it ends when its creator leaves. For owners and admins only, like the fields below.',
      ),
    permissions: narrowing.permissions.optional(),
    allowed_addresses: narrowing.allowed_addresses.optional(),
    creator_email: z
      .string()
      .nullable()
      .optional()
      .describe('The address of the person who created it. Null: an internal program.'),
    creator_is_member: z
      .boolean()
      .nullable()
      .optional()
      .describe('Whether its creator is a member of the workspace today. Null: an internal program.'),
    ci_trust_id: z.string().optional().describe('Of a CI run: the trust by which it was made.'),
    run: z
      .record(z.string(), z.string())
      .optional()
      .describe('Of a CI run: claims of its ID token that say which run it is.'),
  })
  .meta({ id: 'ApiToken' })

export const apiTokenWithUse = apiToken
  .extend({
    used_permissions: z
      .array(z.string())
      .optional()
      .describe(
        'Of what it may do, what it did in the last 30 days, written every few seconds. For owners and admins only, like the fields below.',
      ),
    unused_permissions: z.array(z.string()).optional().describe('The rest of what it may do.'),
    observed_since: unixSeconds
      .nullable()
      .optional()
      .describe('Unix seconds: the first of these days on which it was used; null: there is none.'),
  })
  .meta({ id: 'ApiTokenWithUse' })

/** The longest grace period of a retired secret. */
export const maxGraceSeconds = 7 * 24 * 60 * 60

export const newSecretBody = (old: string) =>
  z
    .strictObject({
      grace_seconds: z
        .int()
        .min(0)
        .max(maxGraceSeconds)
        .optional()
        .describe(
          `How long ${old} is still accepted beside the new one; omitted or 0: not at all. Any earlier one ends at once.`,
        ),
    })
    .optional()
