import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { getLimits } from './get-limits.ts'
import { listQuotas } from './list-quotas.ts'
import { setQuota } from './set-quota.ts'

export const quotasHandlers = {
  set_quota: setQuota,
  list_quotas: listQuotas,
  get_limits: getLimits,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
