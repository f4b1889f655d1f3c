// What mail about a subscription says to each side: what to do, and where.
import { mailGroups } from '@svc/contract/auth-tokens/mail'
import { expect, test } from 'vitest'
import type { NoticeFacts, NoticeKind } from '../../src/mail/notices/notice.ts'
import { noticeContent } from '../../src/mail/notices/notice-content.ts'
import { orderFacts, subscriptionFacts } from './notice-scene.ts'

const names = { workspaceId: 'ws_1', workspace: 'Northsoft', seller: 'Northsoft', member: null }
const byTransfer = { reference: 'ABCD-2345', instructions: 'To DE02.' }
const contentOf = (kind: NoticeKind, facts: NoticeFacts = {}) =>
  noticeContent(kind, { ...orderFacts, ...subscriptionFacts, ...facts } as NoticeFacts, names)

const kinds = [...mailGroups.seller, ...mailGroups.customer].filter(kind => /subscription|^your_/.test(kind))

test.each(kinds)('%s leads to the install in the console of its workspace', kind => {
  const { action, rows, subject } = contentOf(kind)
  expect(action).toEqual({ label: 'Open the install', path: '/console/ws_1/installs/inst_1' })
  expect(subject).toContain('Analytics')
  expect(rows).toContainEqual(['Paid through', '21 Nov 2026, 17:00 UTC'])
  expect(rows.some(([label]) => label === 'Works until')).toBe(!/lapsed|ended/.test(kind))
  expect(JSON.stringify(rows).includes('kim@globex.example')).toBe(kind.startsWith('subscription_'))
})

test.each([
  ['your_payment_failed', 'A payment is due for Analytics from Northsoft'],
  ['your_subscription_lapsed', 'Your subscription has lapsed to Analytics from Northsoft'],
  ['your_subscription_ends_soon', 'Ends within 7 days: your subscription to Analytics from Northsoft'],
] as const)('%s says how to pay a seller who confirms payments', (kind, subject) => {
  const content = contentOf(kind, byTransfer)
  expect(content).toMatchObject({ subject, quote: { text: 'To DE02.' } })
  expect(content.paragraphs.at(-1)).toBe('Follow the seller’s instructions and include this reference.')
  expect(content.rows).toContainEqual(['Reference', 'ABCD-2345'])
})

test.each(['your_payment_failed', 'your_subscription_lapsed'] as const)(
  '%s says where to pay at Stripe',
  kind => {
    expect(contentOf(kind).paragraphs.at(-1)).toBe('Open the install, and choose “Payment method”.')
  },
)

test('the last reminder names the day, and one of a cancelled subscription says to resume it first', () => {
  const { subject, paragraphs } = contentOf('your_subscription_ends_soon', {
    ...byTransfer,
    days: 1,
    cancel_at: 1_795_280_400,
  })
  expect(subject).toBe('Ends within a day: your subscription to Analytics from Northsoft')
  expect(paragraphs[0]).toBe('It was cancelled. To go on, resume it first, and pay then.')
})

test.each(['subscription_ended', 'your_subscription_ended'] as const)('%s says why', kind => {
  expect(contentOf(kind, { end_reason: 'payment_failed' }).paragraphs[0]).toBe('Its payment failed.')
})
