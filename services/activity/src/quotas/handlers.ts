import type { activity } from '@svc/contract/activity/activity'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { listQuotas } from './list-quotas.ts'
import { setQuota } from './set-quota.ts'

export const quotasHandlers = {
  set_quota: setQuota,
  list_quotas: listQuotas,
} satisfies Partial<Handlers<typeof activity, Deps>>
