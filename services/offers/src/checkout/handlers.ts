import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { beginCheckout } from './begin-checkout.ts'
import { confirmPayment } from './manual/confirm-payment.ts'
import { receiveStripeEvent } from './stripe/receive-stripe-event.ts'

export const checkoutHandlers = {
  begin_checkout: beginCheckout,
  confirm_payment: confirmPayment,
  receive_stripe_event: receiveStripeEvent,
} satisfies Partial<Handlers<typeof offers, Deps>>
