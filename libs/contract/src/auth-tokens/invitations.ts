import * as z from 'zod'
import { roles } from '../core/caller.ts'
import { createdAt, idOf, pathId, unixSeconds } from '../core/text.ts'

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

export const invitation = z.object(invited).meta({ id: 'Invitation' })

export const ownInvitation = z
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

export const invitationInPath = z.object({ id: pathId })
