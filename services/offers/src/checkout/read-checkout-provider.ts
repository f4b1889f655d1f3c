import type { Handler } from '@svc/contract/core/operation'
import type { offers } from '@svc/contract/offers/offers'
import type { Deps } from '../deps.ts'

export const readCheckoutProvider: Handler<typeof offers.operations.read_checkout_provider, Deps> = async (
  _input,
  _caller,
  { checkout: { provider } },
) => ({ body: { provider } })
