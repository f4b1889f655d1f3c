// Which events mail is asked for, in their order, once each however many replicas read on, and past those that are refused.
import type { CallBus } from '@svc/bus/call'
import { refusal } from '@svc/contract/core/errors'
import { newId } from '@svc/runtime/id'
import { beforeEach, expect, test } from 'vitest'
import { askForMail } from '../../src/mail/ask-for-mail.ts'
import { type KeptEvent, mailsOfEvent, orderOf, type OrderFacts } from '../../src/mail/mails-of-event.ts'
import { admin, happen, moveClock, now, sql, useDeliveries } from '../deliveries/delivery-scene.ts'

useDeliveries()

interface Asked {
  readonly key: string
  readonly kind: string
  readonly workspace_id: string
}

let asked: Asked[]
/** More mails than one statement writes. */
let most: number
/** Mails of these orders are refused. */
let refused: Set<string>
let failing: boolean
beforeEach(async () => {
  asked = []
  refused = new Set()
  most = 50
  failing = false
  await admin`update mail_position m set position = p.position from last_position p`
})

const facts = (id: string): OrderFacts => ({
  id,
  offer_id: `offer of ${id}`,
  product: 'Analytics',
  seller_workspace_id: 'ws_seller',
  workspace_id: 'ws_customer',
  user_id: 'user_1',
  email: 'kim@globex.example',
  terms: { commercial_mode: 'paid', price: null },
  reference: 'ABCD-2345',
  payment_instructions: null,
  next_steps: null,
  provider: null,
  reason: null,
  expires_at: 1_795_280_400,
  max_uses: null,
  redeemed: 0,
})

/** offers and auth-tokens. */
const call: CallBus = async ({ subject, body }) => {
  const sent = JSON.parse(Buffer.from(body).toString())
  const answer = (status: number, value: object) => ({
    status,
    body: Buffer.from(JSON.stringify(value)),
    header: () => '',
  })
  if (failing) throw refusal('unavailable')
  if (subject === 'rpc.offers.read_order_facts') return answer(200, { orders: sent.ids.map(facts) })
  const bad = sent.mails.some(({ facts: { order_id } }: { facts: { order_id: string } }) =>
    refused.has(order_id),
  )
  if (sent.mails.length > most) return answer(503, refusal('unavailable').body)
  if (bad) return answer(400, refusal('invalid_body', { message: 'It is too long.' }).body)
  asked.push(...sent.mails)
  return { ...answer(200, {}), body: new Uint8Array() }
}
const faults: unknown[] = []
const log = { info() {}, warn() {}, error: (fault: object) => void faults.push(fault) } as never
const round = () => askForMail({ sql, call, now, log })
const read = async () => {
  while (await round()) {}
}
const kindsOf = (id: string) => asked.filter(({ key }) => key.startsWith(`${id} `)).map(({ kind }) => kind)

test('an order that waits is told to both sides; an event that is no reason for mail is read past', async () => {
  const workspace = newId('ws')
  const [created] = await happen(workspace, ['order_1'], 'orders.awaiting_approval')
  await happen(workspace, ['order_1'])
  await happen(workspace, ['order_1'], 'offers.revoked')
  await read()
  expect(kindsOf(created?.id ?? '')).toEqual(['order_waits_for_approval', 'order_received'])
  await read()
  expect(asked).toHaveLength(2)
})

test('mail for many events is requested in order, by replicas that read at once with the same keys', async () => {
  const orders = Array.from({ length: 230 }, (_, n) => `order_${n}`)
  const events = await happen(newId('ws'), orders, 'orders.awaiting_approval')
  await Promise.all([read(), read(), read()])
  const keys = asked.map(({ key }) => key)
  expect([...new Set(keys)].sort()).toEqual(
    events.flatMap(({ id }) => [`${id} order_waits_for_approval`, `${id} order_received`]).sort(),
  )
})

test('the position waits while offers or auth-tokens are away', async () => {
  await happen(newId('ws'), ['order_1'], 'orders.awaiting_approval')
  failing = true
  await expect(round()).rejects.toMatchObject({ tag: 'Unavailable' })
  failing = false
  await read()
  expect(asked).toHaveLength(2)
})

test('mail that is refused for its own sake holds up no other, and is in the log', async () => {
  await happen(newId('ws'), ['order_1', 'order_bad', 'order_2'], 'orders.awaiting_approval')
  refused.add('order_bad')
  await read()
  expect(asked).toHaveLength(4)
  expect(faults).toHaveLength(2)
})

test('mails that are too much for one statement are asked for in smaller parts', async () => {
  await happen(
    newId('ws'),
    Array.from({ length: 20 }, (_, n) => `order_${n}`),
    'orders.awaiting_approval',
  )
  most = 3
  await read()
  expect(asked).toHaveLength(40)
})

test('what happened more than a day ago is no news', async () => {
  await happen(newId('ws'), ['order_1'], 'orders.awaiting_approval')
  moveClock(86_401)
  await read()
  expect(asked).toEqual([])
})

const event = (type: string, before?: string): KeptEvent => ({
  position: 1,
  id: 'evt_1',
  type,
  aggregate_id: 'order_1',
  data: { workspace_id: 'ws_seller' },
  changes: before === undefined ? null : { state: { before } },
})
test.each<[string, KeptEvent, Partial<OrderFacts>, string[]]>([
  ['opened', event('orders.created'), {}, []],
  [
    'waits for approval',
    event('orders.awaiting_approval', 'open'),
    {},
    ['order_waits_for_approval', 'order_received'],
  ],
  ['to be paid', event('orders.awaiting_checkout', 'open'), {}, ['order_waits_for_payment', 'order_payment']],
  [
    'approved, to be paid',
    event('orders.awaiting_checkout', 'awaiting_approval'),
    {},
    ['order_waits_for_payment', 'order_payment'],
  ],
  ['expires soon', event('orders.ends_soon'), {}, ['order_ends_soon']],
  [
    'completed',
    event('orders.completed', 'open'),
    { max_uses: 2, redeemed: 1 },
    ['order_placed', 'order_completed'],
  ],
  ['approved and completed', event('orders.completed', 'awaiting_approval'), {}, ['order_completed']],
  [
    'paid, with the last seat',
    event('orders.completed', 'awaiting_checkout'),
    { provider: 'manual', max_uses: 2, redeemed: 2 },
    ['seats_used_up', 'order_paid', 'order_completed'],
  ],
  ['expired', event('orders.expired', 'open'), {}, ['order_expired']],
  ['rejected', event('orders.rejected', 'awaiting_approval'), {}, ['order_rejected']],
  ['cancelled', event('orders.cancelled', 'open'), {}, ['order_cancelled']],
  ['refund due', event('orders.refund_due'), {}, []],
  ['refunded', event('orders.refunded'), {}, ['order_refunded']],
])('an order that is %s', (_what, of, order, kinds) => {
  expect(mailsOfEvent(of, { ...facts('order_1'), ...order }).map(({ kind }) => kind)).toEqual(kinds)
})

test('the customer is told the reason of a rejection and how to pay, and the seller who ordered', () => {
  const order = {
    ...facts('order_1'),
    reason: 'No.',
    payment_instructions: 'By transfer.',
    provider: 'manual' as const,
  }
  const factsOf = (type: string) =>
    Object.fromEntries(mailsOfEvent(event(type), order).map(({ kind, facts }) => [kind, facts]))
  expect(factsOf('orders.rejected').order_rejected).toMatchObject({ reason: 'No.', seller: 'ws_seller' })
  const paying = factsOf('orders.awaiting_checkout')
  expect(paying.order_payment).toMatchObject({ instructions: 'By transfer.', reference: 'ABCD-2345' })
  expect(paying.order_waits_for_payment).toMatchObject({ customer: 'kim@globex.example' })
  expect(Object.keys(paying.order_waits_for_payment ?? {})).not.toContain('instructions')
  expect(Object.keys(paying.order_payment ?? {})).not.toContain('customer')
  expect(paying.order_payment).not.toHaveProperty('approved')
  const [, approved] = mailsOfEvent(event('orders.completed', 'awaiting_approval'), {
    ...order,
    next_steps: 'Open <host>.',
  })
  expect(approved?.facts).toMatchObject({ event: 'evt_1', approved: true, next_steps: 'Open <host>.' })
  const [, byStripe] = mailsOfEvent(event('orders.awaiting_checkout'), { ...order, provider: 'stripe' })
  expect(Object.keys(byStripe?.facts ?? {})).not.toContain('reference')
})

const ofInstall = (type: string, data = {}): KeptEvent => {
  const times = { paid_through: 1_795_280_400, grace_until: 1_795_885_200, cancel_at: null, end_reason: null }
  const ids = {
    workspace_id: 'ws_seller',
    customer_workspace_id: 'ws_customer',
    offer_id: 'offer_1',
    order_id: 'order_1',
  }
  return { ...event(type), aggregate_id: 'inst_1', data: { ...ids, provider: 'manual', ...times, ...data } }
}
test.each<[string, string[]]>([
  ['started', []],
  ['renewed', []],
  ['recovered', []],
  ['past_due', ['subscription_past_due', 'your_payment_failed']],
  ['ends_soon', ['your_subscription_ends_soon']],
  ['lapsed', ['subscription_lapsed', 'your_subscription_lapsed']],
  ['ended', ['subscription_ended', 'your_subscription_ended']],
  ['disputed', ['subscription_disputed']],
])('a subscription that is %s', (what, kinds) => {
  const of = ofInstall(`subscriptions.${what}`)
  expect(orderOf(of)).toBe(kinds.length > 0 ? 'order_1' : undefined)
  expect(mailsOfEvent(of, facts('order_1')).map(({ kind }) => kind)).toEqual(kinds)
})

test('mail about a subscription is for owners and admins of each side, and has nothing that only the other side knows', () => {
  const order = { ...facts('order_1'), payment_instructions: 'By transfer.', provider: 'manual' as const }
  const [seller, customer] = mailsOfEvent(ofInstall('subscriptions.past_due'), order)
  const shared = {
    event: 'evt_1',
    install_id: 'inst_1',
    paid_through: 1_795_280_400,
    grace_until: 1_795_885_200,
  }
  expect(seller).toMatchObject({ workspace_id: 'ws_seller', user_id: null, facts: shared })
  expect(seller?.facts).toMatchObject({ customer: 'kim@globex.example', reference: 'ABCD-2345' })
  expect(seller?.facts).not.toHaveProperty('instructions')
  expect(customer).toMatchObject({ workspace_id: 'ws_customer', user_id: null, facts: shared })
  expect(customer?.facts).toMatchObject({ instructions: 'By transfer.', reference: 'ABCD-2345' })
  expect(customer?.facts).not.toHaveProperty('customer')
  const [, byStripe] = mailsOfEvent(ofInstall('subscriptions.lapsed'), { ...order, provider: 'stripe' })
  expect(byStripe?.facts).not.toHaveProperty('reference')
  const [reminder] = mailsOfEvent(ofInstall('subscriptions.ends_soon', { days: 1 }), order)
  expect(reminder?.facts).toMatchObject({ days: 1, reference: 'ABCD-2345' })
})

test('mail about the last seat of an offer has one key, whichever order took it', () => {
  const last = (id: string) =>
    mailsOfEvent(
      { ...event('orders.completed'), id },
      { ...facts('order_1'), max_uses: 1, redeemed: 1 },
    ).find(({ kind }) => kind === 'seats_used_up')?.key
  expect(last('evt_1')).toBe(last('evt_2'))
})

test('owners are notified of who joined, with their id', () => {
  const joined = { ...event('members.added'), data: { workspace_id: 'ws_1', user_id: 'user_2' } }
  expect(mailsOfEvent(joined, undefined)).toEqual([
    {
      key: 'evt_1 member_joined',
      kind: 'member_joined',
      workspace_id: 'ws_1',
      user_id: null,
      facts: { member: 'user_2' },
    },
  ])
})
