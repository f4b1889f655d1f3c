import * as z from 'zod'
import { browser, forGateway, internal, internalForWorkspace } from '../core/access.ts'
import { roles } from '../core/caller.ts'
import { credentialHash } from './credential-lookup.ts'
import { displayName, workspaceName } from '../core/display-name.ts'
import { emailAddress, shownEmailAddress } from '../core/email-address.ts'
import { workspaceOwner } from './invitations.ts'
import type { Operation } from '../core/operation.ts'
import { secrets } from '../core/secrets.ts'
import { newPassword, origin, password, signedIn } from './sessions.ts'
import { anyText, createdAt, idOf, pathId, text, unixSeconds } from '../core/text.ts'

export const role = z.enum(roles)

export const personName = displayName(100)
export const supportEmail = shownEmailAddress.nullable()
export const supportEmailDescription = 'Where customers of the workspace can write to; null: none is shown.'

export const workspace = z
  .object({
    id: idOf('workspace', 'ws'),
    name: z.string().describe('As its owners named it; not unique.'),
    role: role.describe('The credential’s role in this workspace.'),
    owner: workspaceOwner,
    support_email: supportEmail.describe(supportEmailDescription),
    require_second_factor: z
      .boolean()
      .describe('Whether members need a session with a second factor. API tokens are not people.'),
    created_at: createdAt,
  })
  .meta({ id: 'Workspace' })

export const member = z
  .object({
    id: idOf('user', 'user'),
    email: z.string().describe('The address with which the person signs in.'),
    name: personName.nullable().describe('As the person wants to be called; null: not given.'),
    role: role.describe('What the member may do: see the guide “Workspaces”.'),
    created_at: unixSeconds.describe('When the person became a member, in Unix seconds.'),
  })
  .meta({ id: 'Member' })

export const workspaceInPath = z.object({ id: pathId })
export const memberInPath = z.object({ id: pathId, user_id: pathId })

export const peopleOperations = {
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
    body: z.strictObject({
      email: emailAddress,
      origin,
      offer: z
        .strictObject({
          product: anyText(0, 200),
          seller: anyText(0, 200).nullable(),
          return_to: text(1, 200),
        })
        .optional()
        .describe('What the person signs up to order, for the email to name, and the page of the offer.'),
    }),
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
    output: signedIn,
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
  set_password: {
    summary: 'Change one’s own password, and end all other sessions',
    access: browser,
    body: z.strictObject({ current_password: password, password: newPassword }),
    errors: ['Unauthorized', 'RateLimited'],
    event: 'passwords.set',
    narrows: true,
  },
  delete_user: {
    summary: 'Delete one’s own account',
    access: browser,
    body: z.strictObject({ password }),
    errors: ['Unauthorized', 'Conflict', 'RateLimited'],
    stepUp: true,
    event: 'users.deleted',
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
