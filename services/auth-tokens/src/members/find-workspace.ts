import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import type { Deps } from '../deps.ts'

export const findWorkspace: Handler<typeof authTokens.operations.find_workspace, Deps> = async (
  _input,
  { workspace },
  { sql },
) => ({ body: (await profileOf(sql, workspace)) ?? { name: null, support_email: null } })

export const workspaceName = async (sql: Sql, workspace: string): Promise<string | null> =>
  (await profileOf(sql, workspace))?.name ?? null

async function profileOf(sql: Sql, workspace: string) {
  const [found] = await sql<{ name: string; support_email: string | null }>`/* auth_tokens.find_workspace */
    select name, support_email from workspaces where id = ${workspace}`
  return found
}
