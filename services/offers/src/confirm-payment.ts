import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { advanceOrder } from './advance-order.ts'
import type { Deps } from './deps.ts'

export const confirmPayment: Handler<typeof offers.operations.confirm_payment, Deps> = async (
  { params: { id } },
  caller,
  deps,
) => ({ body: await advanceOrder(deps, caller, id, 'pay') })
