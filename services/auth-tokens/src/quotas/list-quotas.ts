import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { listQuotas as list } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const listQuotas: Handler<typeof authTokens.operations.list_quotas, Deps> = async (
  _input,
  { workspace },
  { sql },
) => ({ body: { data: await list(sql, 'auth-tokens', workspace) } })
