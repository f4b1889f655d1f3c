import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import type { Deps } from '../deps.ts'

export const findWorkspace: Handler<typeof authTokens.operations.find_workspace, Deps> = async (
  _input,
  { workspace },
  { sql },
) => ({ body: { name: await workspaceName(sql, workspace) } })

/** Null where there is none. */
export async function workspaceName(sql: Sql, workspace: string): Promise<string | null> {
  const [found] = await sql<{ name: string }>`/* auth_tokens.find_workspace */
    select name from workspaces where id = ${workspace}`
  return found?.name ?? null
}
