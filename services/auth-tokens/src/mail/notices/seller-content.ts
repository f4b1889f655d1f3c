import type { mailGroups } from '@svc/contract/auth-tokens/mail'
import type { ContentOf, NoticeContent, NoticeFacts } from './notice.ts'
import { addressText, nameText, orderPath, priceText, timeText } from './notice-parts.ts'

type SellerKind = (typeof mailGroups.seller)[number]

const customerOf = ({ customer }: NoticeFacts) => addressText(customer, 'an API token')

const orderText = ({ reference }: NoticeFacts) => (reference ? `Order ${reference}` : 'An order')

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
    about(facts, 'A new order', ['A customer has placed an order. Its page shows what comes next.']),
  order_waits_for_approval: facts =>
    about(
      facts,
      `${orderText(facts)} is waiting for your approval`,
      ['Approve or reject it before it expires.'],
      true,
    ),
  order_waits_for_payment: facts =>
    about(
      facts,
      `${orderText(facts)} is waiting for payment`,
      ['Its install starts once it is paid. Payments that you receive yourself, you confirm on its page.'],
      true,
    ),
  order_ends_soon: facts =>
    about(
      facts,
      'An order expires soon',
      ['It is still waiting. Once it has expired, nothing is installed.'],
      true,
    ),
  order_paid: facts =>
    about(facts, 'An order was paid', ['The payment is confirmed, and its install starts.']),
  order_refunded: facts =>
    about(facts, 'An order was refunded', [
      'Its payment arrived when your offer was sold out, or after it was cancelled. The customer has the money back.',
    ]),
  seats_used_up: facts => ({
    subject: 'An offer is sold out',
    brief: nameText(facts.product),
    paragraphs: ['Nobody can order from this offer any more. To go on selling, publish another one.'],
    rows: [
      ['Product', nameText(facts.product)],
      ['Orders', String(facts.seats ?? 0)],
    ],
    action: { label: 'Open the last order', path: orderPath(facts) },
  }),
}
