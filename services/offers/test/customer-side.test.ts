// Nothing that is between the seller and an offer reaches a customer: not by any operation, in any state of an order, in
// any refusal, event or log line. Every operation on orders and installs has a case here, or the test fails.
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens'
import { eventStream } from '@svc/contract/events'
import { installOperations } from '@svc/contract/installs'
import type { Operation } from '@svc/contract/operation'
import { orderOperations, type OrderState, orderStates } from '@svc/contract/orders'
import { operations as all } from '@svc/contract/services'
import { newId } from '@svc/runtime/id'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpScene, made, type Reply, type Send, startHttpScene } from './http-scene.ts'

const mark = (what: string) => `${what}-${newId('offer').slice(-10)}`
/** What the seller alone may see, and what is of another customer. */
const secret = {
  internal_note: mark('internal note'),
  display_name: mark('display name'),
  external_id: mark('external id'),
  allowed: `${mark('allowed')}@elsewhere.example`,
  idempotency_key: mark('key'),
  value: mark('value'),
}
/** What is for the entitled alone. */
const notes = mark('notes')

interface Person {
  readonly email: string
  readonly user_id: string
  readonly session: string
  workspace: string
}

let scene: HttpScene
let bus: Bus
let seller: Send
let customer: Person
let colleague: Person
let outsider: Person
let otherCustomer: Person
let channels: Record<Flow, string>
let catalogue: { package_id: string; version_id: string; product_id: string }

const flows = {
  straight: { approval: 'automatic', checkout: 'none' },
  approval: { approval: 'manual', checkout: 'none' },
  checkout: { approval: 'automatic', checkout: 'required' },
} as const
type Flow = keyof typeof flows

beforeAll(async () => {
  scene = await startHttpScene({ env: { LOG_LEVEL: 'trace' } })
  seller = scene.own
  bus = await connectBus(scene.stack.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  customer = await newPerson()
  outsider = await newPerson()
  otherCustomer = await newPerson()
  for (const person of [customer, outsider, otherCustomer]) {
    person.workspace = await made(scene.as(person.session), '/workspaces', { name: 'Workspace' })
  }
  colleague = await newPerson()
  colleague.workspace = customer.workspace
  const { workspace } = customer
  await invoke(scene.stack.backoffice, authTokens, 'put_member', {
    caller: { kind: 'internal', id: 'test', workspace },
    body: { user_id: colleague.user_id, role: 'owner' },
  })
  const package_id = await made(seller, '/packages', { name: 'Package' })
  const input_schema = {
    type: 'object',
    properties: { company: { type: 'string' }, seats: { type: 'integer' } },
  }
  const version_id = await made(seller, `/packages/${package_id}/versions`, {
    version: '1.0.0',
    input_schema,
  })
  const product = { name: 'Product', package_id, current_package_version_id: version_id }
  const product_id = await made(seller, '/products', product)
  catalogue = { package_id, version_id, product_id }
  const made_ = await Promise.all(
    Object.values(flows).map(async flow => {
      const id = await made(seller, '/offer_channels', { product_id, name: 'Channel' })
      const pricing = { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 100 }
      const policy = { ...flow, pricing, allow_non_billable_test: false }
      await made(seller, `/offer_channels/${id}/policies`, { policy, activate: true })
      return id
    }),
  )
  channels = Object.fromEntries(Object.keys(flows).map((flow, at) => [flow, made_[at]])) as typeof channels
}, 120_000)
afterAll(async () => {
  await bus?.close()
  await scene?.stop()
})

async function newPerson(): Promise<Person> {
  const caller = { kind: 'internal', id: 'test' } as const
  const email = `${newId('user')}@buyer.example`
  const body = { email, password: 'of no use here' }
  const { backoffice } = scene.stack
  const { id: user_id } = await invoke(backoffice, authTokens, 'put_user', { caller, body })
  await invoke(backoffice, authTokens, 'verify_user', { caller, body: { email } })
  const { token } = await invoke(backoffice, authTokens, 'create_session', { caller, body: { user_id } })
  return { email, user_id, session: token, workspace: '' }
}

/** Everything that was answered, with its headers, and who asked for what. */
let heard: { who: string; what: string; entitled: boolean; text: string }[] = []
beforeEach(() => {
  heard = []
})

interface Asker {
  readonly who: string
  readonly entitled: boolean
  readonly headers: Record<string, string>
}

const nobody: Asker = { who: 'nobody', entitled: false, headers: {} }
const inside = (who: string, { session, workspace }: Person, entitled = false): Asker => ({
  who,
  entitled,
  headers: { authorization: `Bearer ${session}`, 'svc-context': workspace },
})
const strangers = (): Asker[] => [
  nobody,
  inside('an outsider', outsider),
  {
    who: 'an API token',
    entitled: false,
    headers: { authorization: `Bearer ${scene.stack.dev.other_api_token}` },
  },
]

/** Who ordered, and who is in the same workspace. */
const insiders = (): Asker[] => [inside('the customer', customer, true), inside('a colleague', colleague)]

async function hear(asker: Asker, what: string, url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, {
    redirect: 'manual',
    ...init,
    headers: { ...asker.headers, ...init.headers },
  })
  const body = await response.text()
  heard.push({
    ...asker,
    what: `${what}: ${response.status}`,
    text: JSON.stringify([...response.headers]) + body,
  })
  const json = response.headers.get('content-type')?.startsWith('application/json') && body
  return { status: response.status, body: json ? JSON.parse(body) : {} }
}

/** What a request is about. */
interface Subject {
  readonly offer_id: string
  readonly short_hash: string
  readonly order_id: string
  readonly install_id: string
}

/** The bodies to send, and the queries to ask with; those that change something after those that do not. */
const cases: Record<string, { readonly queries?: string[]; readonly bodies?: (object | string)[] }> = {
  resolve_offer: { queries: ['', '?unknown=1'] },
  list_orders: {
    queries: [
      '',
      '?relation=received',
      '?limit=1',
      '?state=open',
      '?relation=received&state=completed',
      '?limit=0',
    ],
  },
  get_order: {},
  list_installs: {
    queries: ['', '?relation=sold', '?limit=1', '?state=started', '?relation=sold&state=started'],
  },
  get_install: {},
  approve_order: {},
  confirm_payment: {},
  reject_order: { bodies: [{ reason: 'no' }] },
  receive_stripe_event: { bodies: ['{"type":"checkout.session.completed"}'] },
  create_order: {},
  submit_order: {
    bodies: ['{', { field_values: { company: 7, unknown: 1 } }, { cluster_id: 'clus_unknown' }, {}],
  },
  begin_checkout: {},
  cancel_order: {},
}

const customerSide: Record<string, Operation> = { ...orderOperations, ...installOperations }

async function askAll(asker: Asker, subject: Subject, foreign?: Subject) {
  await lookAround(asker, subject)
  await askEverything(asker, subject)
  if (foreign) await askEverything(asker, foreign)
}

/** What only reads is asked at once, then one step after the other. */
async function askEverything(asker: Asker, subject: Subject) {
  const { short_hash, order_id, install_id } = subject
  const steps: (() => Promise<unknown>)[] = []
  const reads: Promise<unknown>[] = []
  for (const [name, { queries = [''], bodies = [undefined] }] of Object.entries(cases)) {
    const { method = '', path = '' } = customerSide[name]?.http ?? {}
    const id = path.startsWith('/installs') ? install_id : order_id
    const filled = path.replace('{short_hash}', short_hash).replace('{id}', id)
    for (const query of queries) {
      for (const body of bodies) {
        const ask = () => hear(asker, `${name}${query}`, base() + filled + query, requestOf(method, body))
        if (method === 'GET') reads.push(ask())
        else steps.push(ask)
      }
    }
  }
  await Promise.all(reads)
  for (const step of steps) await step()
}

const base = () => scene.stack.baseUrls[0] ?? ''

const requestOf = (method: string, body: object | string | undefined): RequestInit => ({
  method,
  ...(body !== undefined && {
    headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=0' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }),
})

/** What is the seller's, by ids that are known; and pages, as a browser asks for them. */
async function lookAround(asker: Asker, subject: Subject) {
  const root = base().replace(/\/v1$/, '')
  const cookie = asker.headers.authorization?.replace('Bearer ', '__Host-svc_session=') ?? ''
  const browser: Asker = { ...asker, headers: { cookie } }
  await Promise.all([
    ...all
      .filter(
        ({ service, name, operation: { http } }) =>
          service === 'offers' && !(name in customerSide) && http?.method === 'GET',
      )
      .map(({ name, operation: { http: { path = '' } = {} } }) =>
        hear(
          asker,
          name,
          base() + path.replace('{number}', '1').replace('{id}', sellersIdFor(path, subject)),
        ),
      ),
    ...[`/i/${subject.short_hash}`, `/orders/${subject.order_id}`, '/orders'].map(page =>
      hear(browser, page, root + page),
    ),
  ])
}

const sellersIdFor = (path: string, { offer_id }: Subject) => {
  const [, kind = ''] = path.split('/')
  const ids: Record<string, string> = {
    offers: offer_id,
    packages: catalogue.package_id,
    package_versions: catalogue.version_id,
    products: catalogue.product_id,
    offer_channels: channels.straight,
  }
  return ids[kind] ?? 'x'
}

async function newOffer(flow: Flow) {
  const body = {
    product_id: catalogue.product_id,
    offer_channel_id: channels[flow],
    allowed_emails: [customer.email, otherCustomer.email, secret.allowed],
    field_values: { seats: { value: 5, locked: true } },
    customer: { display_name: secret.display_name, external_id: secret.external_id },
    internal_note: secret.internal_note,
    notes,
    max_uses: 5,
  }
  const key = `${secret.idempotency_key}-${newId('offer').slice(-12)}`
  const send = scene.as(scene.stack.dev.api_token, { 'idempotency-key': key })
  const reply = await send('POST', '/offers', body)
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return reply.body as unknown as { id: string; short_hash: string }
}

async function newOrder(flow: Flow, by: Person, submitted: boolean, value = 'ours') {
  const offer = await newOffer(flow)
  return { offer, order: await order(offer.short_hash, by, submitted, value) }
}

async function order(
  short_hash: string,
  by: Person,
  submitted: boolean,
  value: string,
): Promise<Reply['body']> {
  const send = scene.as(by.session, { 'svc-context': by.workspace })
  const id = await made(send, `/i/${short_hash}/orders`, {})
  if (!submitted) return (await send('GET', `/orders/${id}`)).body
  const answer = await send('POST', `/orders/${id}/submit`, { field_values: { company: value } })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** How an order comes into each state. */
const ways: Record<OrderState, { flow: Flow; submitted: boolean; then?: (id: string) => Promise<unknown> }> =
  {
    open: { flow: 'straight', submitted: false },
    awaiting_approval: { flow: 'approval', submitted: true },
    awaiting_checkout: { flow: 'checkout', submitted: true },
    completed: { flow: 'straight', submitted: true },
    expired: {
      flow: 'approval',
      submitted: true,
      then: id => scene.stack.sql`update offers.orders set expires_at = 1000 where id = ${id}`,
    },
    rejected: {
      flow: 'approval',
      submitted: true,
      then: id => seller('POST', `/orders/${id}/reject`, { reason: 'Not this time.' }),
    },
    cancelled: {
      flow: 'straight',
      submitted: false,
      then: id =>
        scene.as(customer.session, { 'svc-context': customer.workspace })('POST', `/orders/${id}/cancel`),
    },
  }

function expectNothingLeaked(foreign: readonly string[]) {
  const leaks = heard.flatMap(({ who, what, entitled, text }) => {
    const forbidden = [...Object.values(secret), ...foreign, ...(entitled ? [] : [notes])]
    return forbidden.filter(one => text.includes(one)).map(one => `${who}, ${what}: ${one}`)
  })
  expect(leaks).toEqual([])
}

/** Of the customer who ordered from the same offer. */
const foreignOf = (their: Reply['body']) => [
  their.id,
  ...(their.install_id ? [String(their.install_id)] : []),
  otherCustomer.email,
  otherCustomer.user_id,
  otherCustomer.workspace,
]

test('every operation on orders and installs has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(customerSide).sort())
})

describe('an order that is', () => {
  test.each(orderStates)('%s', async state => {
    const { flow, submitted, then } = ways[state]
    const { offer, order: placed } = await newOrder(flow, customer, submitted)
    await then?.(placed.id)
    const their = await order(offer.short_hash, otherCustomer, true, secret.value)
    const mine = scene.as(customer.session, { 'svc-context': customer.workspace })
    const { body: seen } = await mine('GET', `/orders/${placed.id}`)
    expect(seen.state).toBe(state)
    const install_id = String(seen.install_id ?? 'inst_none')
    const subject = { offer_id: offer.id, short_hash: offer.short_hash, order_id: placed.id, install_id }
    // Ids of others are known to nobody; who knows them learns nothing.
    const foreign = { ...subject, order_id: their.id, install_id: String(their.install_id ?? 'inst_none') }
    await Promise.all(strangers().map(asker => askAll(asker, subject, foreign)))
    // Their own steps lead on through further states.
    for (const asker of insiders()) await askAll(asker, subject, foreign)
    expectNothingLeaked(foreignOf(their))
    const told = heard.filter(({ text }) => text.includes(notes))
    expect(new Set(told.map(({ who }) => who))).toEqual(new Set(['the customer']))
    expect(heard.length).toBeGreaterThan(200)
  })
})

describe('an offer that is', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['revoked', id => seller('POST', `/offers/${id}/revoke`)],
    ['expired', id => scene.stack.sql`update offers.offers set expires_at = 1000 where id = ${id}`],
    ['exhausted', id => scene.stack.sql`update offers.offers set redeemed = max_uses where id = ${id}`],
    ['without a seat', id => scene.stack.sql`update offers.offers set max_uses = 1 where id = ${id}`],
    [
      'the seller’s alone since',
      id =>
        scene.stack.sql`update offers.offers set allowed_emails = array[${secret.allowed}] where id = ${id}`,
    ],
  ])('%s', async (_, become) => {
    const { offer, order: their } = await newOrder('approval', otherCustomer, true, secret.value)
    await become(offer.id)
    const subject = {
      offer_id: offer.id,
      short_hash: offer.short_hash,
      order_id: their.id,
      install_id: 'inst_none',
    }
    await Promise.all([...strangers(), ...insiders()].map(asker => askAll(asker, subject)))
    expectNothingLeaked(foreignOf(their))
  })
})

test('the seller sees what customers do not: the marks are in place', async () => {
  const offer = await newOffer('straight')
  const their = await order(offer.short_hash, otherCustomer, true, secret.value)
  const answers = [
    await seller('GET', `/offers/${offer.id}`),
    await seller('GET', `/orders/${their.id}`),
    await seller('GET', `/installs?relation=sold&offer_id=${offer.id}`),
  ]
  const text = JSON.stringify(answers)
  const { idempotency_key, ...seen } = secret
  for (const one of [...Object.values(seen), notes, ...foreignOf(their)]) expect(text).toContain(one)
})

test('neither events nor log lines have anything of it', async () => {
  const offer = await newOffer('approval')
  const their = await order(offer.short_hash, otherCustomer, true, secret.value)
  await seller('POST', `/orders/${their.id}/reject`, { reason: secret.value })
  await seller('POST', `/offers/${offer.id}/revoke`)
  const { sql, lines } = scene.stack
  await expect.poll(async () => (await sql`select from offers.outbox`).length, { timeout: 10_000 }).toBe(0)
  const events = await textOfEvents()
  expect(events).toContain(offer.id)
  const text = `${events}\n${lines.join('\n')}`
  for (const one of [...Object.values(secret), notes, otherCustomer.email, customer.email]) {
    expect(text.includes(one), one).toBe(false)
  }
})

/** As whoever reads the stream gets it. */
async function textOfEvents(): Promise<string> {
  const { messages } = (await (await bus.nc.jetstreamManager({ checkAPI: false })).streams.info(eventStream))
    .state
  const consumer = await bus.nc.jetstream({ checkAPI: false }).consumers.get(eventStream)
  const texts: string[] = []
  for await (const message of await consumer.fetch({ max_messages: messages, expires: 5000 }))
    texts.push(message.string())
  await consumer.delete()
  expect(texts).toHaveLength(messages)
  return texts.join('\n')
}
