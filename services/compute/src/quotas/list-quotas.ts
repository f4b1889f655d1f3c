import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { listQuotas as list } from '@svc/runtime/quotas'
import type { Deps } from '../deps.ts'

export const listQuotas: Handler<typeof compute.operations.list_quotas, Deps> = async (
  _input,
  { workspace },
  { sql },
) => ({ body: { data: await list(sql, 'compute', workspace) } })
