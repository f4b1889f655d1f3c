import type { mailGroups } from '@svc/contract/auth-tokens/mail'
import { readableLines } from '@svc/contract/core/invisible'
import type { ContentOf, NoticeContent, NoticeFacts, NoticeNames, SubscriptionKind } from './notice.ts'
import { nameText, orderPath, priceText, saleText, timeText } from './notice-parts.ts'

type CustomerKind = Exclude<(typeof mailGroups.customer)[number], SubscriptionKind>

export const aboutOwnOrder = (
  facts: NoticeFacts,
  { seller }: NoticeNames,
  subject: (sale: string) => string,
  paragraphs: readonly string[],
  rows: NoticeContent['rows'] = [],
): NoticeContent => ({
  subject: subject(saleText(facts.product, seller)),
  brief: nameText(facts.product),
  paragraphs,
  rows: [
    ['Product', nameText(facts.product)],
    ...(seller ? [['Seller', nameText(seller)] as const] : []),
    ['Price', priceText(facts)],
    ...rows,
  ],
  action: { label: 'Open your order', path: orderPath(facts) },
})

export function howToPay({ reference, instructions }: NoticeFacts): string {
  if (!reference) return 'Pay on the page of the order.'
  return instructions
    ? 'Follow the seller’s instructions and include this reference.'
    : 'The seller tells you how to pay. Include this reference.'
}

export const quoteOf = (by: string, written: string | null | undefined) => {
  const text = written ? readableLines(written).trim() : ''
  return text ? { quote: { by, text } } : {}
}

const approvedNow = ({ approved }: NoticeFacts) => (approved ? ['The seller has approved your order.'] : [])

export const customerContent: ContentOf<CustomerKind> = {
  order_received: (facts, names) =>
    aboutOwnOrder(
      facts,
      names,
      sale => `We have your order for ${sale}`,
      ['The seller has to approve it. It is reserved for you until then.'],
      [['Reserved for you until', timeText(facts.ends_at)]],
    ),
  order_rejected: (facts, names) => {
    const quote = quoteOf('The seller wrote', facts.reason)
    const text = `The seller has rejected your order, ${'quote' in quote ? 'for this reason:' : 'without a reason.'}`
    return { ...aboutOwnOrder(facts, names, sale => `Your order for ${sale} was rejected`, [text]), ...quote }
  },
  order_payment: (facts, names) => ({
    ...aboutOwnOrder(
      facts,
      names,
      sale => `How to pay for ${sale}`,
      [...approvedNow(facts), howToPay(facts), 'Your install starts once the payment is confirmed.'],
      [
        ['Pay until', timeText(facts.ends_at)],
        ...(facts.reference ? [['Reference', facts.reference] as const] : []),
      ],
    ),
    ...quoteOf('The seller wrote', facts.instructions),
  }),
  order_completed: (facts, names) => ({
    ...aboutOwnOrder(facts, names, sale => `Your order for ${sale} is complete`, [
      ...approvedNow(facts),
      'Your install has started.',
      ...(facts.next_steps ? ['The page of the order shows these steps with your values.'] : []),
    ]),
    ...quoteOf('What to do next, as the seller says', facts.next_steps),
  }),
  order_expired: (facts, names) =>
    aboutOwnOrder(facts, names, sale => `Your order for ${sale} has expired`, [
      'Its time ran out before it was complete, so it is no longer reserved for you. If the offer is still open, you can order again.',
    ]),
  order_cancelled: (facts, names) =>
    aboutOwnOrder(facts, names, sale => `Your order for ${sale} was cancelled`, [
      facts.reason ? readableLines(facts.reason).trim() : 'It is no longer reserved for you.',
    ]),
}
