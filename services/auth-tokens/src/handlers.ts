// Written by `npm run generate`.
import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import { commonHandlers } from '@svc/runtime/common-handlers'
import type { Deps } from './deps.ts'
import { createApiToken } from './api-tokens/create-api-token.ts'
import { endPreviousSecret } from './api-tokens/end-previous-secret.ts'
import { getApiToken } from './api-tokens/get-api-token.ts'
import { listApiTokens } from './api-tokens/list-api-tokens.ts'
import { revokeApiToken } from './api-tokens/revoke-api-token.ts'
import { rotateApiToken } from './api-tokens/rotate-api-token.ts'
import { updateApiToken } from './api-tokens/update-api-token.ts'
import { createCiTrust } from './ci-trusts/create-ci-trust.ts'
import { deleteCiTrust } from './ci-trusts/delete-ci-trust.ts'
import { exchangeIdToken } from './ci-trusts/exchange-id-token.ts'
import { getCiTrust } from './ci-trusts/get-ci-trust.ts'
import { listCiAttempts } from './ci-trusts/list-ci-attempts.ts'
import { listCiTrusts } from './ci-trusts/list-ci-trusts.ts'
import { resolveCredentials } from './credentials/resolve-credentials.ts'
import { decideDeviceGrant } from './device-grant/decide-device-grant.ts'
import { enterUserCode } from './device-grant/enter-user-code.ts'
import { pollDeviceGrant } from './device-grant/poll-device-grant.ts'
import { putOauthClient } from './device-grant/put-oauth-client.ts'
import { revokeToken } from './device-grant/revoke-token.ts'
import { startDeviceGrant } from './device-grant/start-device-grant.ts'
import { addPasskey } from './factors/add-passkey.ts'
import { addTotp } from './factors/add-totp.ts'
import { completeSignIn } from './factors/complete-sign-in.ts'
import { createRecoveryCodes } from './factors/create-recovery-codes.ts'
import { listFactors } from './factors/list-factors.ts'
import { readPendingSignIn } from './factors/read-pending-sign-in.ts'
import { removeFactor } from './factors/remove-factor.ts'
import { resetFactors } from './factors/reset-factors.ts'
import { startFactor } from './factors/start-factor.ts'
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
import { confirmSession } from './sessions/confirm-session.ts'
import { createSession } from './sessions/create-session.ts'
import { endOtherSessions } from './sessions/end-other-sessions.ts'
import { endSession } from './sessions/end-session.ts'
import { findConfirmation } from './sessions/find-confirmation.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { requestConfirmation } from './sessions/request-confirmation.ts'
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
  get_api_token: getApiToken,
  list_api_tokens: listApiTokens,
  revoke_api_token: revokeApiToken,
  rotate_api_token: rotateApiToken,
  update_api_token: updateApiToken,
  create_ci_trust: createCiTrust,
  delete_ci_trust: deleteCiTrust,
  exchange_id_token: exchangeIdToken,
  get_ci_trust: getCiTrust,
  list_ci_attempts: listCiAttempts,
  list_ci_trusts: listCiTrusts,
  resolve_credentials: resolveCredentials,
  decide_device_grant: decideDeviceGrant,
  enter_user_code: enterUserCode,
  poll_device_grant: pollDeviceGrant,
  put_oauth_client: putOauthClient,
  revoke_token: revokeToken,
  start_device_grant: startDeviceGrant,
  add_passkey: addPasskey,
  add_totp: addTotp,
  complete_sign_in: completeSignIn,
  create_recovery_codes: createRecoveryCodes,
  list_factors: listFactors,
  read_pending_sign_in: readPendingSignIn,
  remove_factor: removeFactor,
  reset_factors: resetFactors,
  start_factor: startFactor,
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
  confirm_session: confirmSession,
  create_session: createSession,
  end_other_sessions: endOtherSessions,
  end_session: endSession,
  find_confirmation: findConfirmation,
  list_sessions: listSessions,
  request_confirmation: requestConfirmation,
  sign_in: signIn,
  exchange_session: exchangeSession,
  list_signing_keys: listSigningKeys,
  remove_signing_key: removeSigningKey,
  reseal,
  rotate_signing_keys: rotateSigningKeys,
}
