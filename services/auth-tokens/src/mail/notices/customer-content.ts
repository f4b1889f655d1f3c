import type { mailGroups } from '@svc/contract/auth-tokens/mail'
import { readableLines } from '@svc/contract/core/invisible'
import type { ContentOf, NoticeContent, NoticeFacts, NoticeNames } from './notice.ts'
import { nameText, orderPath, priceText, timeText } from './notice-parts.ts'

type CustomerKind = (typeof mailGroups.customer)[number]

const about = (
  facts: NoticeFacts,
  { seller }: NoticeNames,
  subject: string,
  paragraphs: readonly string[],
  rows: NoticeContent['rows'] = [],
): NoticeContent => ({
  subject,
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

function howToPay({ reference, instructions }: NoticeFacts): string {
  if (!reference) return 'Pay on the page of the order.'
  return instructions
    ? 'Follow the seller’s instructions and include this reference.'
    : 'The seller tells you how to pay. Include this reference.'
}

/** The seller's reason for a rejection, the product's for a cancellation. */
const reason = ({ reason }: NoticeFacts) => (reason ? readableLines(reason).trim() : undefined)

export const customerContent: ContentOf<CustomerKind> = {
  order_received: (facts, names) =>
    about(
      facts,
      names,
      'We have your order',
      ['It is reserved for you. The page of the order shows what comes next.'],
      [['Reserved for you until', timeText(facts.ends_at)]],
    ),
  order_approved: (facts, names) =>
    about(facts, names, 'Your order was approved', ['The seller has approved your order.']),
  order_rejected: (facts, names) => {
    const text = reason(facts)
    return {
      ...about(facts, names, 'Your order was rejected', [
        text
          ? 'The seller has rejected your order, for this reason:'
          : 'The seller has rejected your order, without a reason.',
      ]),
      ...(text && { quote: { by: 'The seller wrote', text } }),
    }
  },
  order_payment: (facts, names) => {
    const text = facts.instructions ? readableLines(facts.instructions).trim() : undefined
    return {
      ...about(
        facts,
        names,
        'How to pay for your order',
        [howToPay(facts), 'Your install starts once the payment is confirmed.'],
        [
          ['Pay until', timeText(facts.ends_at)],
          ...(facts.reference ? [['Reference', facts.reference] as const] : []),
        ],
      ),
      ...(text && { quote: { by: 'The seller wrote', text } }),
    }
  },
  order_completed: (facts, names) =>
    about(facts, names, 'Your order is complete', ['Your install has started.']),
  order_expired: (facts, names) =>
    about(facts, names, 'Your order has expired', [
      'Its time ran out before it was complete, so it is no longer reserved for you. If the offer is still open, you can order again.',
    ]),
  order_cancelled: (facts, names) => {
    const text = reason(facts)
    return about(facts, names, 'Your order was cancelled', [text ?? 'It is no longer reserved for you.'])
  },
}
