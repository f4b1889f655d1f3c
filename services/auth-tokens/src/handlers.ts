import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handlers } from '@svc/contract/operation'
import { acceptInvitation } from './accept-invitation.ts'
import { addMember } from './add-member.ts'
import { completeVerification } from './complete-verification.ts'
import { createApiToken } from './create-api-token.ts'
import { createOwner } from './create-owner.ts'
import { createSession } from './create-session.ts'
import { createWorkspace } from './create-workspace.ts'
import { decideDeviceGrant } from './decide-device-grant.ts'
import { declineInvitation } from './decline-invitation.ts'
import { deleteMember } from './delete-member.ts'
import type { Deps } from './deps.ts'
import { endSession } from './end-session.ts'
import { enterUserCode } from './enter-user-code.ts'
import { exchangeSession } from './exchange-session.ts'
import { getUser } from './get-user.ts'
import { listApiTokens } from './list-api-tokens.ts'
import { listInvitations } from './list-invitations.ts'
import { listMembers } from './list-members.ts'
import { listSessions } from './list-sessions.ts'
import { listSigningKeys } from './list-signing-keys.ts'
import { listWorkspaceInvitations } from './list-workspace-invitations.ts'
import { listWorkspaces } from './list-workspaces.ts'
import { pollDeviceGrant } from './poll-device-grant.ts'
import { putMember } from './put-member.ts'
import { putOauthClient } from './put-oauth-client.ts'
import { putUser } from './put-user.ts'
import { putWorkspace } from './put-workspace.ts'
import { readEmail } from './read-email.ts'
import { readUser } from './read-user.ts'
import { readVerification } from './read-verification.ts'
import { removeMember } from './remove-member.ts'
import { removeSigningKey } from './remove-signing-key.ts'
import { requestVerification } from './request-verification.ts'
import { resolveCredentials } from './resolve-credentials.ts'
import { reseal } from './reseal.ts'
import { revokeApiToken } from './revoke-api-token.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { revokeSession } from './revoke-session.ts'
import { revokeToken } from './revoke-token.ts'
import { rotateApiToken } from './rotate-api-token.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'
import { signIn } from './sign-in.ts'
import { startDeviceGrant } from './start-device-grant.ts'
import { updateMember } from './update-member.ts'
import { verifyUser } from './verify-user.ts'
import { listQuotas } from './list-quotas.ts'
import { setQuota } from './set-quota.ts'
import { getLimits } from './get-limits.ts'

export const handlers: Handlers<typeof authTokens, Deps> = {
  create_api_token: createApiToken,
  list_api_tokens: listApiTokens,
  rotate_api_token: rotateApiToken,
  revoke_api_token: revokeApiToken,
  list_sessions: listSessions,
  end_session: endSession,
  read_email: readEmail,
  read_user: readUser,
  sign_in: signIn,
  create_session: createSession,
  revoke_session: revokeSession,
  revoke_token: revokeToken,
  get_user: getUser,
  create_workspace: createWorkspace,
  list_workspaces: listWorkspaces,
  list_members: listMembers,
  add_member: addMember,
  update_member: updateMember,
  delete_member: deleteMember,
  list_invitations: listInvitations,
  accept_invitation: acceptInvitation,
  decline_invitation: declineInvitation,
  list_workspace_invitations: listWorkspaceInvitations,
  revoke_invitation: revokeInvitation,
  put_user: putUser,
  verify_user: verifyUser,
  request_verification: requestVerification,
  read_verification: readVerification,
  complete_verification: completeVerification,
  create_owner: createOwner,
  put_workspace: putWorkspace,
  put_member: putMember,
  remove_member: removeMember,
  put_oauth_client: putOauthClient,
  start_device_grant: startDeviceGrant,
  poll_device_grant: pollDeviceGrant,
  enter_user_code: enterUserCode,
  decide_device_grant: decideDeviceGrant,
  exchange_session: exchangeSession,
  list_signing_keys: listSigningKeys,
  rotate_signing_keys: rotateSigningKeys,
  reseal,
  remove_signing_key: removeSigningKey,
  resolve_credentials: resolveCredentials,
  set_quota: setQuota,
  list_quotas: listQuotas,
  get_limits: getLimits,
}
