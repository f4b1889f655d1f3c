/** Workspace API tokens. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from './access.ts'
import type { Operation } from './operation.ts'
import { page, pageQuery, pathId, text, unixSeconds } from './text.ts'

const createdApiToken = z.object({
  id: z.string(),
  name: z.string(),
  token: z.string().describe('The secret. Shown this once.'),
  expires_at: unixSeconds.optional(),
})

/** A retired secret may be honoured for this long. */
export const maxGraceSeconds = 7 * 24 * 60 * 60

export const apiTokenOperations = {
  create_api_token: {
    summary: 'Create a workspace API token',
    http: { method: 'POST', path: '/api_tokens', status: 201 },
    access: workspaceAdmin,
    body: z.strictObject({
      name: text(1, 100),
      expires_at: unixSeconds.optional().describe('Unix seconds; omitted: the token does not expire.'),
    }),
    output: createdApiToken,
    errors: ['Conflict', 'Unprocessable'],
  },
  list_api_tokens: {
    summary: 'List the API tokens of the workspace',
    http: { method: 'GET', path: '/api_tokens', status: 200 },
    access: workspaceMember,
    query: pageQuery,
    output: page(
      z.object({
        id: z.string(),
        name: z.string(),
        hint: z.string().describe('The last four characters of the secret.'),
        created_at: unixSeconds,
        created_by: z.string().nullable(),
        last_used_at: unixSeconds.nullable(),
        expires_at: unixSeconds.nullable(),
        stale: z.boolean().describe('Not used for a year.'),
      }),
    ),
    errors: [],
    safe: true,
  },
  rotate_api_token: {
    summary: 'Give an API token a new secret',
    http: { method: 'POST', path: '/api_tokens/{id}/rotate', status: 200 },
    access: workspaceAdmin,
    params: z.object({ id: pathId }),
    body: z
      .strictObject({
        grace_seconds: z
          .int()
          .min(0)
          .max(maxGraceSeconds)
          .optional()
          .describe(
            'How long the old secret is accepted beside the new one; omitted or 0: every earlier one is dead at once.',
          ),
      })
      .optional(),
    output: createdApiToken.extend({
      previous_expires_at: unixSeconds.optional().describe('When the old secret ends; absent: it has ended.'),
    }),
    errors: ['NotFound'],
  },
  revoke_api_token: {
    summary: 'Revoke an API token',
    http: { method: 'DELETE', path: '/api_tokens/{id}', status: 204 },
    access: workspaceAdmin,
    params: z.object({ id: pathId }),
    errors: ['NotFound'],
  },
} as const satisfies Record<string, Operation>
