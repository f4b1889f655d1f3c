/** Users, workspaces and who is a member of which. */
import * as z from 'zod'
import {
  adminOfPath,
  forGateway,
  internal,
  internalForWorkspace,
  memberOfPath,
  person,
  personOfPath,
  personOrToken,
} from '../core/access.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import { roles } from '../core/caller.ts'
import { credentialHash } from './credential-lookup.ts'
import { workspaceName } from '../core/display-name.ts'
import { emailAddress, shownEmailAddress } from '../core/email-address.ts'
import { invitation, workspaceOwner } from './invitations.ts'
import type { Operation } from '../core/operation.ts'
import { secrets } from '../core/secrets.ts'
import { newPassword, openedInBrowser, origin, password } from './sessions.ts'
import { createdAt, idOf, page, pageQuery, pathId, unixSeconds } from '../core/text.ts'

const role = z.enum(roles)

/** Shown with the name to everybody who opens the link of an offer. */
const supportEmail = shownEmailAddress.nullable()
const supportEmailDescription = 'Where customers of the workspace can write to; null: none is shown.'

const workspace = z
  .object({
    id: idOf('workspace', 'ws'),
    name: z.string().describe('As its owners named it; not unique.'),
    role: role.describe('The credential’s role in this workspace.'),
    owner: workspaceOwner,
    chosen: z
      .boolean()
      .describe(
        'Whether the person created it or accepted an invitation to it; false: an operator added them. True for an API token.',
      ),
    support_email: supportEmail.describe(supportEmailDescription),
    created_at: createdAt,
  })
  .meta({ id: 'Workspace' })

const member = z
  .object({
    id: idOf('user', 'user'),
    email: z.string().describe('The address with which the person signs in.'),
    role: role.describe('What the member may do: see the guide “Workspaces”.'),
    created_at: unixSeconds.describe('When the person became a member, in Unix seconds.'),
  })
  .meta({ id: 'Member' })

const workspaceInPath = z.object({ id: pathId })
const memberInPath = z.object({ id: pathId, user_id: pathId })

export const peopleOperations = {
  get_user: {
    summary: 'Read your own account, and the session behind the credential',
    http: { method: 'GET', path: '/user', status: 200 },
    access: person,
    output: z.object({
      id: idOf('user', 'user'),
      email: z.string().describe('The address with which you sign in.'),
      verified: z.boolean().describe('Whether the address is verified.'),
      created_at: createdAt,
      session: z
        .object({
          id: idOf('session', 'sess'),
          expires_at: unixSeconds.describe('Unix seconds; extended while the session is used.'),
        })
        .nullable()
        .describe(
          'The session used for this request, or the one that the JWT was issued for; null: a JWT of an outside issuer.',
        ),
    }),
    errors: [],
    safe: true,
  },
  create_workspace: {
    summary: 'Create a workspace that you own',
    http: { method: 'POST', path: '/workspaces', status: 201 },
    access: person,
    headers: idempotencyHeaders,
    body: z.strictObject({
      name: workspaceName.describe('Others read it in mail: no web addresses, nothing invisible.'),
    }),
    output: workspace,
    replyHeaders: ['Idempotent-Replayed'],
    errors: ['Conflict', 'RateLimited'],
    narrows: false,
  },
  list_workspaces: {
    summary: 'List the workspaces that the credential has access to',
    http: { method: 'GET', path: '/workspaces', status: 200 },
    access: personOrToken,
    query: pageQuery,
    output: page(workspace),
    errors: [],
    safe: true,
  },
  update_workspace: {
    summary: 'Change the name of a workspace, or the address that its customers see',
    http: { method: 'PATCH', path: '/workspaces/{id}', status: 200 },
    access: adminOfPath,
    params: workspaceInPath,
    body: z.strictObject({
      name: workspaceName
        .optional()
        .describe('Others read it in mail: no web addresses, nothing invisible. Omitted: it stays.'),
      support_email: supportEmail.optional().describe(`${supportEmailDescription} Omitted: it stays.`),
    }),
    output: workspace,
    errors: [],
    narrows: false,
  },
  list_members: {
    summary: 'List the members of a workspace',
    http: { method: 'GET', path: '/workspaces/{id}/members', status: 200 },
    access: memberOfPath,
    params: workspaceInPath,
    query: pageQuery,
    output: page(member),
    errors: [],
    safe: true,
  },
  add_member: {
    summary: 'Invite someone by email address',
    http: { method: 'POST', path: '/workspaces/{id}/members', status: 201 },
    access: adminOfPath,
    params: workspaceInPath,
    body: z.strictObject({
      email: emailAddress.describe('The address to invite; it need not have an account yet.'),
      role: role.describe('The role of the person once they accept.'),
    }),
    output: invitation,
    errors: ['Conflict', 'Unprocessable', 'RateLimited'],
    narrows: false,
  },
  update_member: {
    summary: 'Change the role of a member',
    http: { method: 'PATCH', path: '/workspaces/{id}/members/{user_id}', status: 200 },
    access: adminOfPath,
    params: memberInPath,
    body: z.strictObject({ role: role.describe('The new role. Only owners appoint and change owners.') }),
    output: member,
    errors: ['NotFound', 'Conflict'],
    event: 'members.updated',
    narrows: true,
  },
  delete_member: {
    summary: 'Remove a member, or leave',
    http: { method: 'DELETE', path: '/workspaces/{id}/members/{user_id}', status: 204 },
    access: personOfPath,
    params: memberInPath,
    errors: ['NotFound', 'Conflict'],
    event: 'members.removed',
    narrows: true,
  },
  put_user: {
    summary: 'Create a user, or set the password of an existing one',
    access: internal,
    body: z.strictObject({ email: emailAddress, password }),
    output: z.object({ id: z.string() }),
    errors: [],
    event: 'passwords.set',
    safe: true,
    narrows: true,
  },
  verify_user: {
    summary: 'Mark a user’s email address as verified',
    access: internal,
    body: z.strictObject({ email: emailAddress }),
    output: z.object({ id: z.string() }),
    errors: ['Unprocessable'],
    safe: true,
    narrows: false,
  },
  request_verification: {
    summary: 'Email a link to set a password, for signing up or for a forgotten password',
    access: forGateway,
    body: z.strictObject({ email: emailAddress, origin }),
    errors: ['RateLimited'],
    narrows: false,
  },
  read_verification: {
    summary: 'Read which address a link of request_verification proves',
    access: forGateway,
    body: z.strictObject({ hash: credentialHash }),
    output: z.object({
      email: z.string().nullable().describe('Null: the link is unknown, used or expired.'),
      signed_up: z.boolean().describe('Whether the account has a password already.'),
    }),
    errors: [],
    safe: true,
  },
  complete_verification: {
    summary: 'Set the password with a link, end all sessions of the account, and start a new one',
    access: forGateway,
    body: z.strictObject({
      hash: credentialHash,
      password: newPassword,
      origin,
      remember_browser: z
        .boolean()
        .optional()
        .describe('Whether the caller is a browser that can store an id.'),
    }),
    output: openedInBrowser,
    errors: ['Unprocessable'],
    event: 'passwords.set',
    narrows: true,
  },
  create_owner: {
    summary: 'Create a verified user and a workspace owned by that user',
    access: internal,
    body: z.strictObject({
      email: emailAddress,
      workspace_name: workspaceName,
      password: newPassword.optional().describe('Omitted: the response has a link to choose one.'),
    }),
    output: z.object({
      user_id: z.string(),
      workspace_id: z.string(),
      link: z.string().register(secrets).optional().describe('Where to choose a password, within 24 hours.'),
    }),
    errors: [],
    event: 'members.added',
    narrows: true,
  },
  find_workspace: {
    summary: 'Find a workspace',
    access: internalForWorkspace,
    output: z.object({
      name: z.string().nullable().describe('Null: there is no such workspace.'),
      support_email: z.string().nullable(),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
