import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const receiveStripeEvent: Handler<typeof offers.operations.receive_stripe_event, Deps> = async () => {
  throw refusal('unknown_route')
}
