import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { advanceOrder } from './advance-order.ts'
import type { Deps } from '../deps.ts'

export const approveOrder: Handler<typeof offers.operations.approve_order, Deps> = async (
  { params: { id } },
  caller,
  deps,
) => ({
  body: await advanceOrder(deps, caller, id, 'approve', { checkout_provider: deps.checkout.provider }),
})
