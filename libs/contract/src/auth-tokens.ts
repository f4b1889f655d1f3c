/** The operations of the service `auth-tokens`. */
import { z } from 'zod'
import { internal, internalForWorkspace, workspaceAdmin, workspaceMember } from './access.ts'
import { caller, roles, workspaceId } from './caller.ts'
import { service } from './operation.ts'
import { emailAddress, page, pageQuery, pathId, text, unixSeconds, wireId } from './text.ts'

/** A credential crosses the bus as the SHA-256 of its text, in hex. */
export const credentialHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')

/** One question to auth-tokens: whose credential is it, and may it act in the workspace of `context`? */
export const credentialLookup = z.strictObject({
  kind: z.enum(['api_token', 'session']),
  hash: credentialHash,
  context: workspaceId.optional(),
})
export type CredentialLookup = z.infer<typeof credentialLookup>

/** How many look-ups one message may carry. */
export const maxLookups = 256

const apiTokenInput = z.strictObject({
  name: text(1, 100),
  expires_at: unixSeconds.optional().describe('Unix seconds; omitted: the token does not expire.'),
})

const createdApiToken = z.object({
  id: z.string(),
  name: z.string(),
  token: z.string().describe('The secret. Shown this once.'),
  expires_at: unixSeconds.optional(),
})

const userId = wireId('user')

export const authTokens = service('auth-tokens', {
  create_api_token: {
    summary: 'Create a workspace API token',
    http: { method: 'POST', path: '/api_tokens', status: 201 },
    access: workspaceAdmin,
    body: apiTokenInput,
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
      }),
    ),
    errors: [],
    safe: true,
  },
  revoke_api_token: {
    summary: 'Revoke an API token',
    http: { method: 'DELETE', path: '/api_tokens/{id}', status: 204 },
    access: workspaceAdmin,
    params: z.object({ id: pathId }),
    errors: ['NotFound'],
  },
  resolve_credentials: {
    summary: 'Resolve credentials and the workspace that each acts in',
    access: internal,
    body: z.strictObject({ lookups: z.array(credentialLookup).min(1).max(maxLookups) }),
    output: z.object({
      /** In the order of the look-ups; null: no such credential, or it expired. */
      callers: z.array(caller.nullable()),
    }),
    errors: [],
    safe: true,
  },
  put_user: {
    summary: 'Create a user, or set the password of an existing one',
    access: internal,
    body: z.strictObject({ email: emailAddress, password: text(1, 200) }),
    output: z.object({ id: z.string() }),
    errors: [],
    safe: true,
  },
  put_workspace: {
    summary: 'Create a workspace, or rename it',
    access: internal,
    body: z.strictObject({ id: workspaceId, name: text(1, 100) }),
    output: z.object({ id: z.string() }),
    errors: [],
    safe: true,
  },
  put_member: {
    summary: 'Add a member to a workspace, or change the role',
    access: internalForWorkspace,
    body: z.strictObject({ user_id: userId, role: z.enum(roles) }),
    output: z.object({ user_id: z.string(), role: z.enum(roles) }),
    errors: ['Conflict', 'Unprocessable'],
    safe: true,
  },
  remove_member: {
    summary: 'Remove a member from a workspace',
    access: internalForWorkspace,
    body: z.strictObject({ user_id: userId }),
    errors: ['NotFound', 'Conflict'],
  },
  create_session: {
    summary: 'Open a session for a user',
    access: internal,
    body: z.strictObject({ user_id: userId }),
    output: z.object({ id: z.string(), token: z.string(), expires_at: unixSeconds }),
    errors: ['Unprocessable'],
  },
  revoke_session: {
    summary: 'End a session',
    access: internal,
    body: z.strictObject({ id: wireId('sess') }),
    errors: ['NotFound'],
  },
})
