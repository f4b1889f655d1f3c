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
} from './access.ts'
import { roles, workspaceId } from './caller.ts'
import { credentialHash } from './credential-lookup.ts'
import { workspaceName } from './display-name.ts'
import { invitation, workspaceOwner } from './invitations.ts'
import type { Operation } from './operation.ts'
import { newPassword, openedInBrowser, origin, password } from './sessions.ts'
import { emailAddress, page, pageQuery, pathId, unixSeconds, wireId } from './text.ts'

const role = z.enum(roles)
const userId = wireId('user')

const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    role: role.describe('Of the credential in this workspace.'),
    owner: workspaceOwner,
    chosen: z
      .boolean()
      .describe(
        'Whether the person made it or accepted an invitation to it; false: an operator put them in. True for an API token.',
      ),
    created_at: unixSeconds,
  })
  .meta({ id: 'Workspace' })

const member = z
  .object({
    id: z.string().describe('Of the user.'),
    email: z.string(),
    role,
    created_at: unixSeconds,
  })
  .meta({ id: 'Member' })

const workspaceInPath = z.object({ id: pathId })
const memberInPath = z.object({ id: pathId, user_id: pathId })

export const peopleOperations = {
  get_user: {
    summary: 'Read one’s own account, and the session behind the credential',
    http: { method: 'GET', path: '/user', status: 200 },
    access: person,
    output: z.object({
      id: z.string(),
      email: z.string(),
      verified: z.boolean().describe('Whether the address is known to be theirs.'),
      created_at: unixSeconds,
      session: z
        .object({
          id: z.string(),
          expires_at: unixSeconds.describe('Moves on while the session is used.'),
        })
        .nullable()
        .describe('The one that asks, or that the JWT was exchanged for; null: a JWT of an outside issuer.'),
    }),
    errors: [],
    safe: true,
  },
  create_workspace: {
    summary: 'Create a workspace, as its owner',
    http: { method: 'POST', path: '/workspaces', status: 201 },
    access: person,
    body: z.strictObject({ name: workspaceName }),
    output: workspace,
    errors: ['RateLimited'],
  },
  list_workspaces: {
    summary: 'List the workspaces that the credential may act in',
    http: { method: 'GET', path: '/workspaces', status: 200 },
    access: personOrToken,
    query: pageQuery,
    output: page(workspace),
    errors: [],
    safe: true,
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
    summary: 'Invite somebody by e-mail address',
    http: { method: 'POST', path: '/workspaces/{id}/members', status: 201 },
    access: adminOfPath,
    params: workspaceInPath,
    body: z.strictObject({ email: emailAddress, role }),
    output: invitation,
    errors: ['Conflict', 'RateLimited'],
  },
  update_member: {
    summary: 'Change the role of a member',
    http: { method: 'PATCH', path: '/workspaces/{id}/members/{user_id}', status: 200 },
    access: adminOfPath,
    params: memberInPath,
    body: z.strictObject({ role }),
    output: member,
    errors: ['NotFound', 'Conflict'],
  },
  delete_member: {
    summary: 'Remove a member, or leave',
    http: { method: 'DELETE', path: '/workspaces/{id}/members/{user_id}', status: 204 },
    access: personOfPath,
    params: memberInPath,
    errors: ['NotFound', 'Conflict'],
  },
  put_user: {
    summary: 'Create a user, or set the password of an existing one',
    access: internal,
    body: z.strictObject({ email: emailAddress, password }),
    output: z.object({ id: z.string() }),
    errors: [],
    safe: true,
  },
  verify_user: {
    summary: 'Mark the address of a user as verified',
    access: internal,
    body: z.strictObject({ email: emailAddress }),
    output: z.object({ id: z.string() }),
    errors: ['Unprocessable'],
    safe: true,
  },
  request_verification: {
    summary:
      'Send a link that proves the address and sets a password, for signing up and for a lost password',
    access: forGateway,
    body: z.strictObject({ email: emailAddress, origin }),
    errors: ['RateLimited'],
  },
  read_verification: {
    summary: 'The address that a link of request_verification proves',
    access: forGateway,
    body: z.strictObject({ hash: credentialHash }),
    output: z.object({ email: z.string().nullable().describe('Null: unknown, used or expired.') }),
    errors: [],
    safe: true,
  },
  complete_verification: {
    summary: 'Set the password of the address that a link proves, end its sessions, and open a new one',
    access: forGateway,
    body: z.strictObject({
      hash: credentialHash,
      password: newPassword,
      origin,
      remember_browser: z.boolean().optional().describe('Whether it is a browser that keeps ids.'),
    }),
    output: openedInBrowser,
    errors: ['Unprocessable'],
  },
  create_owner: {
    summary: 'Create a verified user and a workspace that is theirs',
    access: internal,
    body: z.strictObject({
      email: emailAddress,
      workspace_name: workspaceName,
      password: newPassword.optional().describe('Omitted: the answer carries a link to choose one.'),
    }),
    output: z.object({
      user_id: z.string(),
      workspace_id: z.string(),
      link: z.string().optional().describe('Where to choose a password, within 24 hours.'),
    }),
    errors: [],
  },
  put_workspace: {
    summary: 'Create a workspace, or rename it',
    access: internal,
    body: z.strictObject({ id: workspaceId, name: workspaceName }),
    output: z.object({ id: z.string() }),
    errors: [],
    safe: true,
  },
  put_member: {
    summary: 'Make a user a member of a workspace without asking them, or change the role',
    access: internalForWorkspace,
    body: z.strictObject({ user_id: userId, role }),
    output: z.object({ user_id: z.string(), role }),
    errors: ['Conflict', 'Unprocessable'],
    safe: true,
  },
  remove_member: {
    summary: 'Remove a member from a workspace',
    access: internalForWorkspace,
    body: z.strictObject({ user_id: userId }),
    errors: ['NotFound', 'Conflict'],
  },
} as const satisfies Record<string, Operation>
