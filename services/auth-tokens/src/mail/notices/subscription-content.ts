/** Mail about the subscription of an install. */
import { aboutOwnOrder, howToPay, quoteOf } from './customer-content.ts'
import type { ContentOf, NoticeContent, NoticeFacts, NoticeNames, SubscriptionKind } from './notice.ts'
import { timeText } from './notice-parts.ts'
import { aboutOrder } from './seller-content.ts'

/** Subjects go on with product and seller. */
type Texts = readonly [subject: string | ((facts: NoticeFacts) => string), text?: string]

const reasons: Readonly<Record<string, string>> = {
  cancelled: 'It was cancelled.',
  removed: 'The install was marked as removed.',
  payment_failed: 'Its payment failed.',
  payment_disputed: 'Its payment was disputed.',
}

const toSeller = {
  subscription_past_due: [
    'A payment is past due',
    'The install works until the grace period is over. Payments that you receive yourself, you confirm on its page.',
  ],
  subscription_lapsed: [
    'A subscription has lapsed',
    'Its grace period passed without a payment. A payment makes it active again.',
  ],
  subscription_ended: [
    'A subscription has ended',
    'Nothing more is paid for the install, and it gets no new licence.',
  ],
  subscription_disputed: [
    'A payment is disputed',
    'The customer disputes it with their bank. Answer in Stripe’s dashboard; the dispute alone ends no subscription.',
  ],
} as const satisfies Record<string, Texts>

const toCustomer = {
  your_payment_failed: [
    ({ reference }: NoticeFacts) => (reference ? 'A payment is due for' : 'The payment failed for'),
    'Your install works until the grace period is over. Pay before that.',
  ],
  your_subscription_ends_soon: [
    ({ days }: NoticeFacts) => `Ends within ${days === 1 ? 'a day' : '7 days'}: your subscription to`,
  ],
  your_subscription_lapsed: [
    'Your subscription has lapsed to',
    'The grace period passed without a payment. A payment makes it active again.',
  ],
  your_subscription_ended: [
    'Your subscription has ended to',
    'Nothing more is charged, and the install gets no new licence. To go on, order again.',
  ],
} as const satisfies Record<string, Texts>

const isEnded = (kind: string) => kind.endsWith('_ended')

const sentences = (kind: string, text: string | undefined, { end_reason }: NoticeFacts) => [
  ...(isEnded(kind) && end_reason ? [reasons[end_reason] ?? ''] : []),
  ...(text ? [text] : []),
]

function onInstall(
  content: NoticeContent,
  kind: string,
  facts: NoticeFacts,
  names: NoticeNames,
): NoticeContent {
  const { paid_through, grace_until, install_id = '' } = facts
  const times = [
    ['Paid through', paid_through],
    ['Works until', isEnded(kind) || kind.endsWith('_lapsed') ? null : grace_until],
  ] as const
  return {
    ...content,
    rows: [
      ...content.rows,
      ...times.flatMap(([label, at]) => (typeof at === 'number' ? [[label, timeText(at)] as const] : [])),
    ],
    action: {
      label: 'Open the install',
      path: `/console/${encodeURIComponent(names.workspaceId)}/installs/${encodeURIComponent(install_id)}`,
    },
  }
}

const subjectOf = ([subject]: Texts, facts: NoticeFacts) =>
  typeof subject === 'string' ? subject : subject(facts)

const sellerMail =
  (kind: string, texts: Texts) =>
  (facts: NoticeFacts, names: NoticeNames): NoticeContent =>
    onInstall(
      aboutOrder(() => subjectOf(texts, facts), sentences(kind, texts[1], facts))(facts, names),
      kind,
      facts,
      names,
    )

/** Only Stripe’s payments have no reference. */
const howToGoOn = (kind: string, facts: NoticeFacts) => {
  if (isEnded(kind)) return []
  if (!facts.reference) return ['Open the install, and choose “Payment method”.']
  return [
    ...(facts.cancel_at ? ['It was cancelled. To go on, resume it first, and pay then.'] : []),
    howToPay(facts),
  ]
}

const customerMail =
  (kind: string, texts: Texts) =>
  (facts: NoticeFacts, names: NoticeNames): NoticeContent => {
    const content = aboutOwnOrder(
      facts,
      names,
      sale => `${subjectOf(texts, facts)} ${sale}`,
      [...sentences(kind, texts[1], facts), ...howToGoOn(kind, facts)],
      facts.reference ? [['Reference', facts.reference]] : [],
    )
    return { ...onInstall(content, kind, facts, names), ...quoteOf('The seller wrote', facts.instructions) }
  }

const contentsOf = (
  table: Readonly<Record<string, Texts>>,
  of: (kind: string, texts: Texts) => ContentOf<SubscriptionKind>[SubscriptionKind],
) => Object.entries(table).map(([kind, texts]) => [kind, of(kind, texts)] as const)

export const subscriptionContent = Object.fromEntries([
  ...contentsOf(toSeller, sellerMail),
  ...contentsOf(toCustomer, customerMail),
]) as ContentOf<SubscriptionKind>
