import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { readUnsubscribeToken } from './unsubscribe-link.ts'

/** Read-only: programs that check the links of a message must not switch anything off. */
export const readUnsubscription: Handler<typeof authTokens.operations.read_unsubscription, Deps> = async (
  { body: { token } },
  _caller,
  { sql, seal },
) => {
  const link = readUnsubscribeToken(token, seal)
  if (!link) return { body: { kind: null, workspace_name: null } }
  const [workspace] = await sql<{ name: string }>`/* auth_tokens.read_unsubscription */
    select w.name from workspaces w join memberships m on m.workspace_id = w.id
    where w.id = ${link.workspace} and m.user_id = ${link.user}`
  return { body: { kind: link.kind, workspace_name: workspace?.name ?? null } }
}
