import { workspaceName } from '@svc/bus/workspace-name'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { setQuota as set } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const setQuota: Handler<typeof offers.operations.set_quota, Deps> = async (
  { body },
  { workspace },
  { sql, callBus, call, eventWritten },
) => {
  const answer = await set(sql, 'offers', { ...body, workspace, by: call.by }, () =>
    workspaceName(callBus, { caller: 'offers', workspace, call }),
  )
  eventWritten()
  return { body: answer }
}
