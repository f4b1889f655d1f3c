import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { setQuota as set } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const setQuota: Handler<typeof activity.operations.set_quota, Deps> = async (
  { body },
  { workspace },
  { sql, callBus, call, eventWritten },
) => {
  const answer = await set(sql, 'activity', { ...body, workspace, by: call.by }, async () => {
    const found = await invoke(callBus, authTokens, 'find_workspace', {
      caller: { kind: 'internal', id: 'activity', workspace },
      deadline: call.deadline,
      requestId: call.request_id,
    })
    return found.name
  })
  eventWritten()
  return { body: answer }
}
