import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { advanceOrder } from './advance-order.ts'
import type { Deps } from './deps.ts'

export const cancelOrder: Handler<typeof offers.operations.cancel_order, Deps> = async (
  { params: { id } },
  caller,
  deps,
) => ({ body: await advanceOrder(deps, caller, id, 'cancel') })
