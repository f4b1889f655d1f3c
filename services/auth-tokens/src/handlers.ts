// Written by `npm run generate`.
import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import { commonHandlers } from '@svc/runtime/common-handlers'
import type { Deps } from './deps.ts'
import { createApiToken } from './api-tokens/create-api-token.ts'
import { endPreviousSecret } from './api-tokens/end-previous-secret.ts'
import { listApiTokens } from './api-tokens/list-api-tokens.ts'
import { revokeApiToken } from './api-tokens/revoke-api-token.ts'
import { rotateApiToken } from './api-tokens/rotate-api-token.ts'
import { resolveCredentials } from './credentials/resolve-credentials.ts'
import { decideDeviceGrant } from './device-grant/decide-device-grant.ts'
import { enterUserCode } from './device-grant/enter-user-code.ts'
import { pollDeviceGrant } from './device-grant/poll-device-grant.ts'
import { putOauthClient } from './device-grant/put-oauth-client.ts'
import { revokeToken } from './device-grant/revoke-token.ts'
import { startDeviceGrant } from './device-grant/start-device-grant.ts'
import { holdLeases } from './leases/hold-leases.ts'
import { getMailPreferences } from './mail/preferences/get-mail-preferences.ts'
import { readUnsubscription } from './mail/preferences/read-unsubscription.ts'
import { unsubscribe } from './mail/preferences/unsubscribe.ts'
import { updateMailPreferences } from './mail/preferences/update-mail-preferences.ts'
import { requestMail } from './mail/request-mail.ts'
import { requestWebhookMail } from './mail/request-webhook-mail.ts'
import { acceptInvitation } from './members/accept-invitation.ts'
import { addMember } from './members/add-member.ts'
import { createWorkspace } from './members/create-workspace.ts'
import { declineInvitation } from './members/decline-invitation.ts'
import { deleteMember } from './members/delete-member.ts'
import { deleteWorkspace } from './members/delete-workspace.ts'
import { findNames } from './members/find-names.ts'
import { findWorkspace } from './members/find-workspace.ts'
import { listInvitations } from './members/list-invitations.ts'
import { listMembers } from './members/list-members.ts'
import { listWorkspaceInvitations } from './members/list-workspace-invitations.ts'
import { listWorkspaces } from './members/list-workspaces.ts'
import { revokeInvitation } from './members/revoke-invitation.ts'
import { updateMember } from './members/update-member.ts'
import { updateWorkspace } from './members/update-workspace.ts'
import { completeVerification } from './people/complete-verification.ts'
import { createOwner } from './people/create-owner.ts'
import { deleteUser } from './people/delete-user.ts'
import { getUser } from './people/get-user.ts'
import { putUser } from './people/put-user.ts'
import { readEmail } from './people/read-email.ts'
import { readUser } from './people/read-user.ts'
import { readVerification } from './people/read-verification.ts'
import { requestVerification } from './people/request-verification.ts'
import { setPassword } from './people/set-password.ts'
import { updateUser } from './people/update-user.ts'
import { verifyUser } from './people/verify-user.ts'
import { getLimits } from './quotas/get-limits.ts'
import { setQuota } from './quotas/set-quota.ts'
import { searchResources } from './resources/search-resources.ts'
import { createSession } from './sessions/create-session.ts'
import { endOtherSessions } from './sessions/end-other-sessions.ts'
import { endSession } from './sessions/end-session.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { signIn } from './sessions/sign-in.ts'
import { exchangeSession } from './signing-keys/exchange-session.ts'
import { listSigningKeys } from './signing-keys/list-signing-keys.ts'
import { removeSigningKey } from './signing-keys/remove-signing-key.ts'
import { reseal } from './signing-keys/reseal.ts'
import { rotateSigningKeys } from './signing-keys/rotate-signing-keys.ts'

export const handlers: Handlers<typeof authTokens, Deps> = {
  ...commonHandlers('auth-tokens'),
  create_api_token: createApiToken,
  end_previous_secret: endPreviousSecret,
  list_api_tokens: listApiTokens,
  revoke_api_token: revokeApiToken,
  rotate_api_token: rotateApiToken,
  resolve_credentials: resolveCredentials,
  decide_device_grant: decideDeviceGrant,
  enter_user_code: enterUserCode,
  poll_device_grant: pollDeviceGrant,
  put_oauth_client: putOauthClient,
  revoke_token: revokeToken,
  start_device_grant: startDeviceGrant,
  hold_leases: holdLeases,
  get_mail_preferences: getMailPreferences,
  read_unsubscription: readUnsubscription,
  unsubscribe,
  update_mail_preferences: updateMailPreferences,
  request_mail: requestMail,
  request_webhook_mail: requestWebhookMail,
  accept_invitation: acceptInvitation,
  add_member: addMember,
  create_workspace: createWorkspace,
  decline_invitation: declineInvitation,
  delete_member: deleteMember,
  delete_workspace: deleteWorkspace,
  find_names: findNames,
  find_workspace: findWorkspace,
  list_invitations: listInvitations,
  list_members: listMembers,
  list_workspace_invitations: listWorkspaceInvitations,
  list_workspaces: listWorkspaces,
  revoke_invitation: revokeInvitation,
  update_member: updateMember,
  update_workspace: updateWorkspace,
  complete_verification: completeVerification,
  create_owner: createOwner,
  delete_user: deleteUser,
  get_user: getUser,
  put_user: putUser,
  read_email: readEmail,
  read_user: readUser,
  read_verification: readVerification,
  request_verification: requestVerification,
  set_password: setPassword,
  update_user: updateUser,
  verify_user: verifyUser,
  get_limits: getLimits,
  set_quota: setQuota,
  search_resources: searchResources,
  create_session: createSession,
  end_other_sessions: endOtherSessions,
  end_session: endSession,
  list_sessions: listSessions,
  sign_in: signIn,
  exchange_session: exchangeSession,
  list_signing_keys: listSigningKeys,
  remove_signing_key: removeSigningKey,
  reseal,
  rotate_signing_keys: rotateSigningKeys,
}
