import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handlers } from '@svc/contract/operation'
import { createApiToken } from './create-api-token.ts'
import { createSession } from './create-session.ts'
import type { Deps } from './deps.ts'
import { listApiTokens } from './list-api-tokens.ts'
import { putMember } from './put-member.ts'
import { putUser } from './put-user.ts'
import { putWorkspace } from './put-workspace.ts'
import { removeMember } from './remove-member.ts'
import { resolveCredentials } from './resolve-credentials.ts'
import { revokeApiToken } from './revoke-api-token.ts'
import { revokeSession } from './revoke-session.ts'

export const handlers: Handlers<typeof authTokens, Deps> = {
  create_api_token: createApiToken,
  list_api_tokens: listApiTokens,
  revoke_api_token: revokeApiToken,
  resolve_credentials: resolveCredentials,
  put_user: putUser,
  put_workspace: putWorkspace,
  put_member: putMember,
  remove_member: removeMember,
  create_session: createSession,
  revoke_session: revokeSession,
}
