import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { setQuota as set } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'
import { workspaceName } from '../members/find-workspace.ts'

export const setQuota: Handler<typeof authTokens.operations.set_quota, Deps> = async (
  { body },
  { workspace },
  { sql, call, eventWritten },
) => {
  const wanted = { ...body, workspace, by: call.by }
  const answer = await set(sql, 'auth-tokens', wanted, () => workspaceName(sql, workspace))
  eventWritten()
  return { body: answer }
}
