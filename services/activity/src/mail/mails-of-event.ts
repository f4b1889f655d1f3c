import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { MailFacts, MailKind } from '@svc/contract/auth-tokens/mail'
import type { Input, Reply } from '@svc/contract/core/operation'
import type { EventType, events } from '@svc/contract/events'
import type { offers } from '@svc/contract/offers/offers'
import type * as z from 'zod'

export type Mail = Input<typeof authTokens.operations.request_mail>['body']['mails'][number]
export type OrderFacts = Reply<typeof offers.operations.read_order_facts>['body']['orders'][number]

type SubscriptionData = z.infer<(typeof events)['subscriptions.ends_soon']>

export interface KeptEvent {
  readonly position: number
  readonly id: string
  readonly type: string
  readonly aggregate_id: string
  readonly data: { readonly workspace_id: string; readonly user_id?: string } & Partial<SubscriptionData>
  readonly changes: { readonly state?: { readonly before: string } } | null
}

/** A person gets the first that they have not switched off. */
interface MailsOfOrder {
  readonly seller?: readonly MailKind[]
  readonly customer?: MailKind
}

const stateBefore = ({ changes }: KeptEvent) => changes?.state?.before

const ofOrder: Partial<Record<EventType, (event: KeptEvent, order: OrderFacts) => MailsOfOrder>> = {
  'orders.awaiting_approval': () => ({ seller: ['order_waits_for_approval'], customer: 'order_received' }),
  'orders.awaiting_checkout': () => ({ seller: ['order_waits_for_payment'], customer: 'order_payment' }),
  'orders.ends_soon': () => ({ seller: ['order_ends_soon'] }),
  'orders.completed': (event, { provider, max_uses, redeemed }) => ({
    seller: [
      ...(max_uses !== null && redeemed >= max_uses ? (['seats_used_up'] as const) : []),
      ...(provider ? (['order_paid'] as const) : []),
      ...(stateBefore(event) === 'open' ? (['order_placed'] as const) : []),
    ],
    customer: 'order_completed',
  }),
  'orders.expired': () => ({ customer: 'order_expired' }),
  'orders.rejected': () => ({ customer: 'order_rejected' }),
  'orders.cancelled': () => ({ customer: 'order_cancelled' }),
  'orders.refunded': () => ({ seller: ['order_refunded'] }),
  'subscriptions.past_due': () => ({ seller: ['subscription_past_due'], customer: 'your_payment_failed' }),
  'subscriptions.ends_soon': () => ({ customer: 'your_subscription_ends_soon' }),
  'subscriptions.lapsed': () => ({ seller: ['subscription_lapsed'], customer: 'your_subscription_lapsed' }),
  'subscriptions.ended': () => ({ seller: ['subscription_ended'], customer: 'your_subscription_ended' }),
  'subscriptions.disputed': () => ({ seller: ['subscription_disputed'] }),
}

export const mailedTypes: readonly string[] = [...Object.keys(ofOrder), 'members.added']

/** The order that its mail is about, if there is mail; that of the install for a subscription. */
export const orderOf = ({ type, aggregate_id, data }: KeptEvent): string | undefined =>
  type in ofOrder ? (data.order_id ?? aggregate_id) : undefined

/** @param order the order's facts; none: the order was deleted */
export function mailsOfEvent(event: KeptEvent, order: OrderFacts | undefined): Mail[] {
  const { id, type, data } = event
  if (type === 'members.added' && data.user_id) {
    const { workspace_id, user_id: member } = data
    return [
      { key: `${id} member_joined`, kind: 'member_joined', workspace_id, user_id: null, facts: { member } },
    ]
  }
  const mails = order && ofOrder[type as EventType]?.(event, order)
  if (!mails) return []
  const { seller = [], customer } = mails
  const ofSubscription = data.order_id !== undefined
  const facts = { ...factsOf(order), event: id, ...(ofSubscription && subscriptionFacts(event)) }
  return [
    ...seller.map(kind => ({
      // The last seat is used once, whichever order did.
      key: kind === 'seats_used_up' ? `${order.offer_id} ${kind}` : `${id} ${kind}`,
      kind,
      workspace_id: order.seller_workspace_id,
      user_id: null,
      facts: { ...facts, reference: order.reference, customer: order.email, seats: order.redeemed },
    })),
    ...(customer ? [customer] : []).map(kind => ({
      key: `${id} ${kind}`,
      kind,
      workspace_id: order.workspace_id,
      user_id: ofSubscription ? null : order.user_id,
      facts: {
        ...facts,
        seller: order.seller_workspace_id,
        ...(stateBefore(event) === 'awaiting_approval' && type !== 'orders.rejected' && { approved: true }),
        ...(kind === 'order_completed' && { next_steps: order.next_steps }),
        ...(paidFor.includes(kind) && order.provider === 'manual' && payment(order)),
        ...((kind === 'order_rejected' || kind === 'order_cancelled') && { reason: order.reason }),
      },
    })),
  ]
}

const paidFor: readonly MailKind[] = [
  'order_payment',
  'your_payment_failed',
  'your_subscription_ends_soon',
  'your_subscription_lapsed',
]

const subscriptionFacts = ({ aggregate_id, data }: KeptEvent): MailFacts => {
  const { paid_through, grace_until, cancel_at, end_reason, days } = data
  return {
    install_id: aggregate_id,
    paid_through,
    grace_until,
    cancel_at,
    end_reason,
    ...(days !== undefined && { days }),
  }
}

/** To the seller; customers find it on the page of the order. */
const payment = ({ reference, payment_instructions }: OrderFacts): MailFacts => ({
  instructions: payment_instructions,
  reference,
})

const factsOf = ({ id, offer_id, product, terms, expires_at }: OrderFacts): MailFacts => ({
  order_id: id,
  offer_id,
  product,
  price: terms.price,
  is_test: terms.commercial_mode === 'non_billable_test',
  ends_at: expires_at,
})
