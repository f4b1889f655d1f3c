/** Orders through the channel, about which Acme decides. */
import { refusal } from '../core/errors.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
import {
  cancelledOrder,
  channelOffer,
  channelOrder,
  rejectedOrder,
  secondInstall,
} from '../openapi/example-names.ts'
import { approved, known, partnerOrder, submitted, values } from './orders-example-bodies.ts'

const byChannel = { params: { short_hash: channelOffer.short_hash } }
const inChannel = { params: { id: channelOrder } }

const wrongState = (step: string, state: string) =>
  refusal('wrong_state', {
    message: `The order is ${state}, so ${step} is not possible.`,
    metadata: { state },
  })

export const decisions = [
  succeeds('offers', 'create_order', {
    summary: 'Grace orders through the channel',
    by: 'customer',
    aside: true,
    request: byChannel,
    answer: { body: partnerOrder },
  }),
  isRefused('offers', 'approve_order', {
    summary: 'Not submitted yet',
    by: 'script',
    request: inChannel,
    refusal: wrongState('approve', 'open'),
  }),
  succeeds('offers', 'submit_order', {
    name: 'to_be_approved',
    summary: 'The terms require approval',
    by: 'customer',
    request: { ...inChannel, body: { field_values: values } },
    answer: { body: submitted },
  }),
  isRefused('offers', 'begin_checkout', {
    summary: 'Not approved yet',
    by: 'customer',
    request: inChannel,
    refusal: wrongState('checkout', 'awaiting_approval'),
  }),
  succeeds('offers', 'approve_order', {
    summary: 'The order now awaits payment',
    by: 'script',
    request: inChannel,
    answer: { body: approved },
  }),
  succeeds('offers', 'begin_checkout', {
    summary: 'The seller confirms the payment',
    by: 'customer',
    request: inChannel,
    answer: { body: { provider: 'manual', url: null } },
  }),
  succeeds('offers', 'confirm_payment', {
    summary: 'The install starts',
    by: 'script',
    request: inChannel,
    answer: { body: { ...approved, state: 'completed', install_id: secondInstall } },
  }),
  isRefused('offers', 'confirm_payment', {
    summary: 'Already paid',
    by: 'script',
    request: inChannel,
    refusal: wrongState('pay', 'completed'),
  }),
  succeeds('offers', 'create_order', {
    summary: 'Grace orders again',
    by: 'customer',
    aside: true,
    request: byChannel,
    answer: { body: { ...partnerOrder, ...known(rejectedOrder) } },
  }),
  succeeds('offers', 'submit_order', {
    summary: 'Grace submits the order',
    by: 'customer',
    aside: true,
    request: { params: { id: rejectedOrder }, body: { field_values: values } },
    answer: { body: { ...submitted, ...known(rejectedOrder) } },
  }),
  succeeds('offers', 'reject_order', {
    summary: 'With a reason for the customer',
    by: 'script',
    request: { params: { id: rejectedOrder }, body: { reason: 'One contract per company.' } },
    answer: {
      body: { ...submitted, ...known(rejectedOrder), state: 'rejected', reason: 'One contract per company.' },
    },
  }),
  isRefused('offers', 'reject_order', {
    summary: 'Already rejected',
    by: 'script',
    request: { params: { id: rejectedOrder }, body: {} },
    refusal: wrongState('reject', 'rejected'),
  }),
  succeeds('offers', 'create_order', {
    summary: 'Grace orders a third time',
    by: 'customer',
    aside: true,
    request: byChannel,
    answer: { body: { ...partnerOrder, ...known(cancelledOrder) } },
  }),
  succeeds('offers', 'cancel_order', {
    summary: 'The customer changes their mind',
    by: 'customer',
    request: { params: { id: cancelledOrder } },
    answer: { body: { ...partnerOrder, ...known(cancelledOrder), state: 'cancelled' } },
  }),
  isRefused('offers', 'cancel_order', {
    summary: 'Already cancelled',
    by: 'customer',
    request: { params: { id: cancelledOrder } },
    refusal: wrongState('cancel', 'cancelled'),
  }),
]
