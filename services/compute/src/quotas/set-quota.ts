import { workspaceName } from '@svc/bus/workspace-name'
import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { setQuota as set } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const setQuota: Handler<typeof compute.operations.set_quota, Deps> = async (
  { body },
  { workspace },
  { sql, callBus, call, eventWritten },
) => {
  const answer = await set(sql, 'compute', { ...body, workspace, by: call.by }, () =>
    workspaceName(callBus, { caller: 'compute', workspace, call }),
  )
  eventWritten()
  return { body: answer }
}
