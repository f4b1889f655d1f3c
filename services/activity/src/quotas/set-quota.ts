import { workspaceName } from '@svc/bus/workspace-name'
import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { setQuota as set } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const setQuota: Handler<typeof activity.operations.set_quota, Deps> = async (
  { body },
  { workspace },
  { sql, callBus, call, eventWritten },
) => {
  const answer = await set(sql, 'activity', { ...body, workspace, by: call.by }, () =>
    workspaceName(callBus, { caller: 'activity', workspace, call }),
  )
  eventWritten()
  return { body: answer }
}
