import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { setQuota as set } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const setQuota: Handler<typeof offers.operations.set_quota, Deps> = async (
  { body },
  { workspace },
  { sql, callBus, call },
) => ({
  body: await set(sql, 'offers', { ...body, workspace }, async () => {
    const found = await invoke(callBus, authTokens, 'find_workspace', {
      caller: { kind: 'internal', id: 'offers', workspace },
      deadline: call.deadline,
      requestId: call.request_id,
    })
    return found.name
  }),
})
