import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { namesReply } from '@svc/runtime/names-reply'
import type { Deps } from '../deps.ts'

/** Members are called by their address, as in events. */
export const findNames: Handler<typeof authTokens.operations.find_names, Deps> = async (
  { body: { ids } },
  { workspace },
  { sql },
) =>
  namesReply(
    await sql<{ id: string; name: string }>`/* auth_tokens.find_names */
      select u.id, u.email as name from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${workspace} and m.user_id = any (${ids})
      union all
      select id, name from api_tokens where workspace_id = ${workspace} and id = any (${ids})`,
  )
