import type { compute } from '@svc/contract/compute'
import type { Handler } from '@svc/contract/operation'
import { setQuota as set } from '@svc/runtime/quotas'
import type { Deps } from './deps.ts'

export const setQuota: Handler<typeof compute.operations.set_quota, Deps> = async (
  { body },
  { workspace },
  { sql },
) => ({ body: await set(sql, 'compute', { ...body, workspace }) })
