import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { addMember } from './add-member.ts'
import { createWorkspace } from './create-workspace.ts'
import { declineInvitation } from './decline-invitation.ts'
import { deleteMember } from './delete-member.ts'
import { findWorkspace } from './find-workspace.ts'
import { listInvitations } from './list-invitations.ts'
import { listMembers } from './list-members.ts'
import { listWorkspaceInvitations } from './list-workspace-invitations.ts'
import { listWorkspaces } from './list-workspaces.ts'
import { putMember } from './put-member.ts'
import { putWorkspace } from './put-workspace.ts'
import { removeMember } from './remove-member.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { updateMember } from './update-member.ts'
import { updateWorkspace } from './update-workspace.ts'

export const membersHandlers = {
  create_workspace: createWorkspace,
  list_workspaces: listWorkspaces,
  update_workspace: updateWorkspace,
  list_members: listMembers,
  add_member: addMember,
  update_member: updateMember,
  delete_member: deleteMember,
  list_invitations: listInvitations,
  accept_invitation: acceptInvitation,
  decline_invitation: declineInvitation,
  list_workspace_invitations: listWorkspaceInvitations,
  revoke_invitation: revokeInvitation,
  find_workspace: findWorkspace,
  put_workspace: putWorkspace,
  put_member: putMember,
  remove_member: removeMember,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
