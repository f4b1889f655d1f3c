// Written by `npm run generate`.
import { operation as create_api_token } from './api-tokens/create-api-token.ts'
import { operation as list_api_tokens } from './api-tokens/list-api-tokens.ts'
import { operation as update_api_token } from './api-tokens/update-api-token.ts'
import { operation as get_api_token } from './api-tokens/get-api-token.ts'
import { operation as rotate_api_token } from './api-tokens/rotate-api-token.ts'
import { operation as end_previous_secret } from './api-tokens/end-previous-secret.ts'
import { operation as revoke_api_token } from './api-tokens/revoke-api-token.ts'
import { operation as create_ci_trust } from './ci-trusts/create-ci-trust.ts'
import { operation as list_ci_trusts } from './ci-trusts/list-ci-trusts.ts'
import { operation as get_ci_trust } from './ci-trusts/get-ci-trust.ts'
import { operation as list_ci_attempts } from './ci-trusts/list-ci-attempts.ts'
import { operation as delete_ci_trust } from './ci-trusts/delete-ci-trust.ts'
import { operation as create_workspace } from './workspaces/create-workspace.ts'
import { operation as list_workspaces } from './workspaces/list-workspaces.ts'
import { operation as update_workspace } from './workspaces/update-workspace.ts'
import { operation as get_limits } from './workspaces/get-limits.ts'
import { operation as search_resources } from './resources/search-resources.ts'
import { operation as list_members } from './workspaces/list-members.ts'
import { operation as update_mail_preferences } from './workspaces/update-mail-preferences.ts'
import { operation as get_mail_preferences } from './workspaces/get-mail-preferences.ts'
import { operation as update_member } from './workspaces/update-member.ts'
import { operation as delete_member } from './workspaces/delete-member.ts'
import { operation as delete_workspace } from './workspaces/delete-workspace.ts'
import { operation as add_member } from './invitations/add-member.ts'
import { operation as list_workspace_invitations } from './invitations/list-workspace-invitations.ts'
import { operation as revoke_invitation } from './invitations/revoke-invitation.ts'
import { operation as list_invitations } from './invitations/list-invitations.ts'
import { operation as decline_invitation } from './invitations/decline-invitation.ts'
import { operation as accept_invitation } from './invitations/accept-invitation.ts'
import { operation as get_user } from './sessions/get-user.ts'
import { operation as update_user } from './sessions/update-user.ts'
import { operation as list_sessions } from './sessions/list-sessions.ts'
import { operation as request_confirmation } from './sessions/request-confirmation.ts'
import { operation as end_other_sessions } from './sessions/end-other-sessions.ts'
import { operation as end_session } from './sessions/end-session.ts'

export const httpOperations = {
  create_api_token,
  list_api_tokens,
  update_api_token,
  get_api_token,
  rotate_api_token,
  end_previous_secret,
  revoke_api_token,
  create_ci_trust,
  list_ci_trusts,
  get_ci_trust,
  list_ci_attempts,
  delete_ci_trust,
  create_workspace,
  list_workspaces,
  update_workspace,
  get_limits,
  search_resources,
  list_members,
  update_mail_preferences,
  get_mail_preferences,
  update_member,
  delete_member,
  delete_workspace,
  add_member,
  list_workspace_invitations,
  revoke_invitation,
  list_invitations,
  decline_invitation,
  accept_invitation,
  get_user,
  update_user,
  list_sessions,
  request_confirmation,
  end_other_sessions,
  end_session,
}
