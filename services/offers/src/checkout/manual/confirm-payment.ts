import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { advanceOrder } from '../../orders/advance-order.ts'
import type { Deps } from '../../deps.ts'

export const confirmPayment: Handler<typeof offers.operations.confirm_payment, Deps> = async (
  { params: { id } },
  caller,
  deps,
) => ({ body: await advanceOrder(deps, caller, id, 'pay') })
