/** Workspace API tokens. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from '../core/access.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import type { Operation } from '../core/operation.ts'
import { secrets } from '../core/secrets.ts'
import {
  createdAt,
  idOf,
  nameText,
  page,
  pageQuery,
  pathId,
  querySeconds,
  unixSeconds,
} from '../core/text.ts'

const createdApiToken = z
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

const apiToken = z
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

/** A retired secret may be honoured for this long. */
export const maxGraceSeconds = 7 * 24 * 60 * 60

/** The body of a rotation that replaces `old`. */
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

export const apiTokenOperations = {
  create_api_token: {
    summary: 'Create a workspace API token',
    http: { method: 'POST', path: '/api_tokens', status: 201 },
    access: workspaceAdmin,
    headers: idempotencyHeaders,
    body: z.strictObject({
      name: nameText(100).describe('A label of your choice.'),
      expires_at: unixSeconds.optional().describe('Unix seconds; omitted: the token does not expire.'),
      ends_with_creator: z
        .boolean()
        .optional()
        .describe('Whether the token ends when you are no longer a member of the workspace; omitted: false.'),
    }),
    output: createdApiToken,
    errors: ['Conflict', 'Unprocessable'],
    event: 'api_tokens.created',
    narrows: false,
  },
  list_api_tokens: {
    summary: 'List the API tokens of the workspace',
    http: { method: 'GET', path: '/api_tokens', status: 200 },
    access: workspaceMember,
    query: pageQuery.extend({
      ends_before: querySeconds.describe('Only those that end before this second, and have not ended yet.'),
      unused_since: querySeconds.describe(
        'Only those that were created before this second and not used since.',
      ),
    }),
    output: page(apiToken),
    errors: [],
    safe: true,
  },
  rotate_api_token: {
    summary: 'Rotate the secret of an API token',
    http: { method: 'POST', path: '/api_tokens/{id}/rotate', status: 200 },
    access: workspaceAdmin,
    params: z.object({ id: pathId }),
    body: newSecretBody('the old secret'),
    output: createdApiToken
      .extend({
        previous_expires_at: unixSeconds
          .optional()
          .describe('When the old secret expires; absent: it has already expired.'),
      })
      .meta({ id: 'RotatedApiToken' }),
    errors: ['NotFound'],
    event: 'api_tokens.rotated',
    narrows: true,
  },
  revoke_api_token: {
    summary: 'Revoke an API token',
    http: { method: 'DELETE', path: '/api_tokens/{id}', status: 204 },
    access: workspaceAdmin,
    params: z.object({ id: pathId }),
    errors: ['NotFound'],
    event: 'api_tokens.revoked',
    narrows: true,
  },
} as const satisfies Record<string, Operation>
