// The seller's private data of an offer never reaches a customer: not through any operation, in any state of an order, nor in
// any refusal, event or log line. The test fails if an operation on orders or installs has no case here.
import { forFile } from '@svc/testing/for-file'
import { type Bus, connectBus } from '@svc/bus/connection'
import { eventStream } from '@svc/contract/events'
import { orderStates } from '@svc/contract/offers/orders'
import { patient } from '@svc/testing/read-events'
import { everything, sized } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Client,
  cases,
  createProbe,
  customerSide,
  type RecordedResponse,
  inside,
} from './customer-side-requests.ts'
import { notes, secret, startCustomerSide } from './customer-side-scene.ts'
import type { Reply } from '../http-scene.ts'

const scene = forFile(startCustomerSide)
let bus: Bus
let probe: ReturnType<typeof createProbe>
const responses: RecordedResponse[] = []

beforeAll(async () => {
  bus = await connectBus(scene.stack.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  probe = createProbe(scene, responses)
})
afterAll(async () => {
  await bus?.close()
})
beforeEach(() => {
  responses.length = 0
})

const strangers = (): Client[] => [
  { who: 'nobody', entitled: false, headers: {} },
  inside('an outsider', scene.outsider),
  {
    who: 'an API token',
    entitled: false,
    headers: { authorization: `Bearer ${scene.stack.dev.other_api_token}` },
  },
]

/** The customer who ordered, and someone in the same workspace. */
const customerWhoOrdered = () => inside('the customer', scene.customer, true)
const colleague = () => inside('a colleague', scene.colleague)

/** In `npm test` a rotating part of the clients: over the rows of a table everyone has a turn. */
const inTurn = (row: number, clients: Client[], others: number) =>
  clients.filter((_, at) => everything || (row + at) % others === 0)

function expectNothingLeaked(foreign: readonly string[]) {
  const leaks = responses.flatMap(({ who, what, entitled, text }) => {
    const forbidden = [...Object.values(secret), ...foreign, ...(entitled ? [] : [notes])]
    return forbidden.filter(one => text.includes(one)).map(one => `${who}, ${what}: ${one}`)
  })
  expect(leaks).toEqual([])
}

/** Data of another customer who ordered from the same offer. */
const foreignOf = (otherOrder: Reply['body']) => [
  otherOrder.id,
  ...(otherOrder.install_id ? [String(otherOrder.install_id)] : []),
  scene.otherCustomer.email,
  scene.otherCustomer.user_id,
  scene.otherCustomer.workspace,
]

const subjectOf = (offer: { id: string; short_hash: string }, { id, install_id }: Reply['body']) => ({
  offer_id: offer.id,
  short_hash: offer.short_hash,
  order_id: id,
  install_id: String(install_id ?? 'inst_none'),
})

test('every operation on orders and installs has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(customerSide).sort())
})

test.each(orderStates.map((state, row) => [state, row] as const))(
  'an order that is %s',
  async (state, row) => {
    const { newOffer, order, customer, otherCustomer, inWorkspace } = scene
    const { flow, value, end } = scene.ways[state]
    const offer = await newOffer(flow)
    const { id } = await order(offer.short_hash, customer, value)
    await end?.(id)
    const otherOrder = await order(offer.short_hash, otherCustomer, secret.value)
    const { body: placed } = await inWorkspace(customer)('GET', `/orders/${id}`)
    expect(placed.state).toBe(state)
    const subject = subjectOf(offer, placed)
    // Ids of others are secret, but knowing them must not reveal anything.
    const foreign = subjectOf(offer, otherOrder)
    // To a stranger both orders are someone else's.
    const others = everything ? foreign : undefined
    await Promise.all(inTurn(row, strangers(), 3).map(client => probe(client, subject, others)))
    // Their own requests take the order through further states.
    for (const client of [customerWhoOrdered(), ...inTurn(row, [colleague()], 3)])
      await probe(client, subject, foreign)
    expectNothingLeaked(foreignOf(otherOrder))
    const shown = responses.filter(({ text }) => text.includes(notes))
    expect(new Set(shown.map(({ who }) => who))).toEqual(new Set(['the customer']))
    expect(responses.length).toBeGreaterThan(sized(30, 200))
  },
)

describe('an offer that is', () => {
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ['revoked', id => scene.seller('POST', `/offers/${id}/revoke`)],
    ['expired', id => scene.stack.sql`update offers.offers set expires_at = 1000 where id = ${id}`],
    ['exhausted', id => scene.stack.sql`update offers.offers set redeemed = max_uses where id = ${id}`],
    ['without a seat', id => scene.stack.sql`update offers.offers set max_uses = 1 where id = ${id}`],
    [
      'no longer for this customer',
      id =>
        scene.stack.sql`update offers.offers set allowed_emails = array[${secret.allowed}] where id = ${id}`,
    ],
  ]
  test.each(ends.map((end, row) => [...end, row] as const))('%s', async (_, become, row) => {
    const offer = await scene.newOffer('approval')
    const otherOrder = await scene.order(offer.short_hash, scene.otherCustomer, secret.value)
    await become(offer.id)
    const subject = subjectOf(offer, otherOrder)
    const clients = inTurn(row, [...strangers(), customerWhoOrdered(), colleague()], 5)
    await Promise.all(clients.map(client => probe(client, subject)))
    expectNothingLeaked(foreignOf(otherOrder))
  })
})

test('the seller sees what customers do not: the secrets are in place', async () => {
  const offer = await scene.newOffer('straight')
  const otherOrder = await scene.order(offer.short_hash, scene.otherCustomer, secret.value)
  const answers = [
    await scene.seller('GET', `/offers/${offer.id}`),
    await scene.seller('GET', `/orders/${otherOrder.id}`),
    await scene.seller('GET', `/installs?relation=sold&offer_id=${offer.id}`),
  ]
  const text = JSON.stringify(answers)
  const { idempotency_key, ...seen } = secret
  for (const one of [...Object.values(seen), notes, ...foreignOf(otherOrder)]) expect(text).toContain(one)
})

test('neither events nor log lines contain any of it', async () => {
  const offer = await scene.newOffer('approval')
  const otherOrder = await scene.order(offer.short_hash, scene.otherCustomer, secret.value)
  await scene.seller('POST', `/orders/${otherOrder.id}/reject`, { reason: secret.value })
  await scene.seller('POST', `/offers/${offer.id}/revoke`)
  const { sql, lines } = scene.stack
  const unpublished = () =>
    sql`select from offers.outbox where aggregate_id in ${sql([offer.id, otherOrder.id])}`
  await expect.poll(async () => (await unpublished()).length).toBe(0)
  const events = await textOfEvents()
  expect(events).toContain(offer.id)
  // Here the log is the mailbox as well, and mail is for those whom it is about.
  const logged = lines.filter(line => !/"to":.*"subject":/.test(line))
  const text = `${events}\n${logged.join('\n')}`
  for (const one of [...Object.values(secret), notes, scene.otherCustomer.email, scene.customer.email]) {
    expect(text.includes(one), one).toBe(false)
  }
})

/** As any reader of the stream gets it. */
async function textOfEvents(): Promise<string> {
  const { messages } = (await (await bus.nc.jetstreamManager(patient)).streams.info(eventStream)).state
  const consumer = await bus.nc.jetstream(patient).consumers.get(eventStream)
  const texts: string[] = []
  // Who acted is there by name, and only there.
  for await (const message of await consumer.fetch({ max_messages: messages, expires: 5000 }))
    texts.push(JSON.stringify({ ...message.json<object>(), actor: null }))
  await consumer.delete()
  expect(texts).toHaveLength(messages)
  return texts.join('\n')
}
