import type { mailGroups } from '@svc/contract/auth-tokens/mail'
import type { ContentOf, NoticeContent, NoticeFacts } from './notice.ts'
import { addressText, nameText, orderPath, priceText, timeText } from './notice-parts.ts'

type SellerKind = (typeof mailGroups.seller)[number]

const customerOf = ({ customer }: NoticeFacts) => addressText(customer, 'an API token')

const about = (
  facts: NoticeFacts,
  subject: string,
  paragraphs: readonly string[],
  ends = false,
): NoticeContent => ({
  subject,
  brief: `${nameText(facts.product)}, ${customerOf(facts)}`,
  paragraphs,
  rows: [
    ['Product', nameText(facts.product)],
    ['Customer', customerOf(facts)],
    ['Price', priceText(facts)],
    ...(ends ? [['Expires', timeText(facts.ends_at)] as const] : []),
  ],
  action: { label: 'Open the order', path: orderPath(facts) },
})

export const sellerContent: ContentOf<SellerKind> = {
  order_placed: facts =>
    about(facts, 'A new order', ['A customer has placed an order. It reserves a seat of your offer.']),
  order_waits_for_approval: facts =>
    about(facts, 'An order waits for your approval', ['Approve or reject it before it expires.'], true),
  order_waits_for_payment: facts =>
    about(
      facts,
      'An order waits for payment',
      ['Its install starts once it is paid. Payments that you receive yourself, you confirm on its page.'],
      true,
    ),
  order_ends_soon: facts =>
    about(facts, 'An order expires soon', ['It still waits, and then loses its seat.'], true),
  order_paid: facts =>
    about(facts, 'An order was paid', ['The payment is confirmed, and its install starts.']),
  order_refunded: facts =>
    about(facts, 'An order was refunded', [
      'Its payment arrived when no seat was left for it, or after it was cancelled. The customer has the money back.',
    ]),
  seats_used_up: facts => ({
    subject: 'The last seat of an offer is used',
    brief: nameText(facts.product),
    paragraphs: ['Nobody can order from this offer any more. To go on selling, publish another one.'],
    rows: [
      ['Product', nameText(facts.product)],
      ['Seats', String(facts.seats ?? 0)],
    ],
    action: { label: 'Open the last order', path: orderPath(facts) },
  }),
}
