import type { mailGroups } from '@svc/contract/auth-tokens/mail'
import type { ContentOf, NoticeContent, NoticeFacts, NoticeNames, SubscriptionKind } from './notice.ts'
import { addressText, nameText, orderPath, priceText, saleText, timeText } from './notice-parts.ts'

type SellerKind = Exclude<(typeof mailGroups.seller)[number], SubscriptionKind>

const customerOf = ({ customer }: NoticeFacts) => addressText(customer, 'an API token')

export const aboutOrder =
  (what: (order: string) => string, paragraphs: readonly string[], ends = false) =>
  (facts: NoticeFacts, { workspace }: NoticeNames): NoticeContent => ({
    subject: `${what(facts.reference ? `Order ${facts.reference}` : 'An order')}: ${saleText(facts.product, workspace)}`,
    brief: `${nameText(facts.product)}, ${customerOf(facts)}`,
    paragraphs,
    rows: [
      ['Product', nameText(facts.product)],
      ['Seller', nameText(workspace)],
      ['Customer', customerOf(facts)],
      ['Price', priceText(facts)],
      ...(ends ? [['Expires', timeText(facts.ends_at)] as const] : []),
    ],
    action: { label: 'Open the order', path: orderPath(facts) },
  })

export const sellerContent: ContentOf<SellerKind> = {
  order_placed: aboutOrder(() => 'New order', ['It needs nothing from you: its install has started.']),
  order_waits_for_approval: aboutOrder(
    order => `${order} is waiting for your approval`,
    ['Approve or reject it before it expires.'],
    true,
  ),
  order_waits_for_payment: aboutOrder(
    order => `${order} is waiting for payment`,
    ['Its install starts once it is paid. Payments that you receive yourself, you confirm on its page.'],
    true,
  ),
  order_ends_soon: aboutOrder(
    order => `${order} expires soon`,
    ['It is still waiting. Once it has expired, nothing is installed.'],
    true,
  ),
  order_paid: aboutOrder(order => `${order} was paid`, ['The payment is confirmed, and its install starts.']),
  order_refunded: aboutOrder(
    order => `${order} was refunded`,
    [
      'Its payment arrived when your offer was sold out, or after it was cancelled. The customer has the money back.',
    ],
  ),
  seats_used_up: (facts, names) => {
    const { rows, ...content } = aboutOrder(
      () => 'Sold out',
      [
        'This order was the last: its install starts, and nobody can order from the offer any more. To go on selling, allow more orders or publish another offer.',
      ],
    )(facts, names)
    return { ...content, rows: [...rows, ['Orders', String(facts.seats ?? 0)]] }
  },
}
