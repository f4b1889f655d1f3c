/** Invitations to workspaces: nothing about a person changes or is shown before they accept. */
import * as z from 'zod'
import { adminOfPath, person } from '../core/access.ts'
import { roles } from '../core/caller.ts'
import type { Operation } from '../core/operation.ts'
import { createdAt, idOf, page, pageQuery, pathId, unixSeconds } from '../core/text.ts'

export const invitationStates = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const

const role = z.enum(roles).describe('The role of the person once they accept.')
const invited = {
  id: idOf('invitation', 'inv'),
  email: z.string().describe('The invited address.'),
  role,
  state: z.enum(invitationStates).describe('Only a `pending` one can be accepted, declined or revoked.'),
  invited_by: z.string().nullable().describe('The address of the person who invited. Null: unknown.'),
  created_at: createdAt,
  expires_at: unixSeconds.describe('After this time it cannot be accepted.'),
}

export const workspaceOwner = z
  .string()
  .nullable()
  .describe('The address of the longest-standing owner. Null: there is none.')

/** As its workspace sees it. */
export const invitation = z.object(invited).meta({ id: 'Invitation' })

const ownInvitation = z
  .object({
    ...invited,
    workspace: z
      .object({
        id: idOf('workspace', 'ws'),
        name: z.string().describe('Chosen by its owners; anyone can give a workspace any name.'),
        owner: workspaceOwner,
      })
      .describe('The workspace that the person would join.'),
  })
  .meta({ id: 'OwnInvitation' })

const invitationInPath = z.object({ id: pathId })

export const invitationOperations = {
  list_invitations: {
    summary: 'List your own pending invitations',
    http: { method: 'GET', path: '/invitations', status: 200 },
    access: person,
    query: pageQuery,
    output: page(ownInvitation),
    errors: [],
    safe: true,
  },
  accept_invitation: {
    summary: 'Accept an invitation, and become a member of its workspace',
    http: { method: 'POST', path: '/invitations/{id}/accept', status: 200 },
    access: person,
    params: invitationInPath,
    output: ownInvitation,
    errors: ['NotFound', 'Conflict', 'Unprocessable'],
    safe: true,
    narrows: false,
  },
  decline_invitation: {
    summary: 'Decline an invitation',
    http: { method: 'POST', path: '/invitations/{id}/decline', status: 200 },
    access: person,
    params: invitationInPath,
    output: ownInvitation,
    errors: ['NotFound', 'Conflict'],
    safe: true,
    narrows: false,
  },
  list_workspace_invitations: {
    summary: 'List the pending invitations of a workspace',
    http: { method: 'GET', path: '/workspaces/{id}/invitations', status: 200 },
    access: adminOfPath,
    params: z.object({ id: pathId }),
    query: pageQuery,
    output: page(invitation),
    errors: [],
    safe: true,
  },
  revoke_invitation: {
    summary: 'Revoke an invitation',
    http: { method: 'DELETE', path: '/workspaces/{id}/invitations/{invitation_id}', status: 204 },
    access: adminOfPath,
    params: z.object({ id: pathId, invitation_id: pathId }),
    errors: ['NotFound', 'Conflict'],
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
