import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { advanceOrder } from './advance-order.ts'
import type { Deps } from '../deps.ts'

export const rejectOrder: Handler<typeof offers.operations.reject_order, Deps> = async (
  { params: { id }, body: { reason } },
  caller,
  deps,
) => ({ body: await advanceOrder(deps, caller, id, 'reject', { reason }) })
