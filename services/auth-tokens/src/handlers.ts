import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import { outboxHandlers } from '@svc/runtime/outbox/read-events'
import { createApiToken } from './api-tokens/create-api-token.ts'
import { listApiTokens } from './api-tokens/list-api-tokens.ts'
import { revokeApiToken } from './api-tokens/revoke-api-token.ts'
import { rotateApiToken } from './api-tokens/rotate-api-token.ts'
import { resolveCredentials } from './credentials/resolve-credentials.ts'
import type { Deps } from './deps.ts'
import { decideDeviceGrant } from './device-grant/decide-device-grant.ts'
import { enterUserCode } from './device-grant/enter-user-code.ts'
import { pollDeviceGrant } from './device-grant/poll-device-grant.ts'
import { putOauthClient } from './device-grant/put-oauth-client.ts'
import { revokeToken } from './device-grant/revoke-token.ts'
import { startDeviceGrant } from './device-grant/start-device-grant.ts'
import { guardNarrowing } from './leases/guard-narrowing.ts'
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
import { getUser } from './people/get-user.ts'
import { putUser } from './people/put-user.ts'
import { readEmail } from './people/read-email.ts'
import { readUser } from './people/read-user.ts'
import { readVerification } from './people/read-verification.ts'
import { requestVerification } from './people/request-verification.ts'
import { verifyUser } from './people/verify-user.ts'
import { getLimits } from './quotas/get-limits.ts'
import { listQuotas } from './quotas/list-quotas.ts'
import { setQuota } from './quotas/set-quota.ts'
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

export const handlers: Handlers<typeof authTokens, Deps> = guardNarrowing({
  create_api_token: createApiToken,
  list_api_tokens: listApiTokens,
  rotate_api_token: rotateApiToken,
  revoke_api_token: revokeApiToken,
  list_sessions: listSessions,
  end_session: endSession,
  end_other_sessions: endOtherSessions,
  sign_in: signIn,
  create_session: createSession,
  read_email: readEmail,
  read_user: readUser,
  get_user: getUser,
  put_user: putUser,
  verify_user: verifyUser,
  request_verification: requestVerification,
  read_verification: readVerification,
  complete_verification: completeVerification,
  create_owner: createOwner,
  revoke_token: revokeToken,
  put_oauth_client: putOauthClient,
  start_device_grant: startDeviceGrant,
  poll_device_grant: pollDeviceGrant,
  enter_user_code: enterUserCode,
  decide_device_grant: decideDeviceGrant,
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
  exchange_session: exchangeSession,
  list_signing_keys: listSigningKeys,
  rotate_signing_keys: rotateSigningKeys,
  reseal,
  remove_signing_key: removeSigningKey,
  resolve_credentials: resolveCredentials,
  hold_leases: holdLeases,
  request_mail: requestMail,
  request_webhook_mail: requestWebhookMail,
  get_mail_preferences: getMailPreferences,
  update_mail_preferences: updateMailPreferences,
  read_unsubscription: readUnsubscription,
  unsubscribe,
  set_quota: setQuota,
  list_quotas: listQuotas,
  get_limits: getLimits,
  ...outboxHandlers,
})
