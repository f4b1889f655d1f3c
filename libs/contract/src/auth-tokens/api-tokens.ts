import * as z from 'zod'
import { secrets } from '../core/secrets.ts'
import { createdAt, idOf, unixSeconds } from '../core/text.ts'

export const createdApiToken = z
  .object({
    id: idOf('token', 'tok'),
    name: z.string().describe('The label chosen by whoever created it.'),
    token: z
      .string()
      .describe('The secret, `sk_svc_…`. Shown only once; it cannot be read later.')
      .register(secrets),
    expires_at: unixSeconds.optional().describe('Unix seconds; absent: the token does not expire.'),
  })
  .meta({ id: 'CreatedApiToken' })

export const apiToken = z
  .object({
    id: idOf('token', 'tok'),
    name: z.string().describe('The label chosen by whoever created it.'),
    hint: z.string().describe('The last four characters of the secret.'),
    created_at: createdAt,
    created_by: z.string().nullable().describe('The user; null: an internal program.'),
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
  })
  .meta({ id: 'ApiToken' })

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
