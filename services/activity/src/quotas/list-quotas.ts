import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { listQuotas as list } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const listQuotas: Handler<typeof activity.operations.list_quotas, Deps> = async (
  _input,
  { workspace },
  { sql },
) => ({ body: { data: await list(sql, 'activity', workspace) } })
