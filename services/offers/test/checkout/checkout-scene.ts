// Paid offers over HTTP: two gateways, two replicas of the service, and a fake Stripe on 127.0.0.1.
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import { waitUntil as waitOften } from '@svc/local/wait-until'
import { sized } from '@svc/testing/size'
import { type Product, startTestStack } from '@svc/testing/stack/stack'
import type { FakeSession } from '@svc/testing/stripe/stripe-objects'
import {
  completed,
  eventText,
  type FakeStripe,
  secretKey,
  signature,
  startStripe,
  webhookSecret,
} from '@svc/testing/stripe/stripe-server'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { fixedPolicy } from '../catalogue.ts'
import { made, newProduct, type Reply, type Send, startHttpScene } from '../http-scene.ts'

/** Belongs to the test file that uses it. */
export let scene: Awaited<ReturnType<typeof startCheckoutScene>>

/** Polls slowly: a sweep takes seconds, and constant polling would take the processor from it. */
export const waitUntil = (what: string, check: () => Promise<boolean> | boolean): Promise<void> =>
  waitOften(what, check, { everyMs: 100 })

/** Starts one for the whole test file. */
export function useCheckoutScene(): void {
  beforeAll(async () => {
    scene = await startCheckoutScene()
  })
  beforeEach(() => {
    scene.stripe.faults.length = 0
  })
  afterAll(() => scene?.stop())
}

export const stripeEnv = (stripe: FakeStripe) => ({
  CHECKOUT: 'stripe',
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_BASE: stripe.url,
})

const startCheckoutScene = () =>
  setCheckoutScene(stripe =>
    startTestStack({ replicas: { gateway: sized(1, 2), offers: 2 }, env: stripeEnv(stripe) }),
  )

export async function setCheckoutScene<Running extends Product>(
  start: (stripe: FakeStripe) => Promise<Running>,
) {
  const stripe = await startStripe()
  const scene = await startHttpScene(() => start(stripe))
  const { own, stack } = scene
  const { sql } = stack
  const send: Send = scene.theirs

  const product_id = await patiently(async () => (await newProduct(own)).product_id)
  const channels = new Map<string, Promise<string>>()

  async function newChannel(policy: object) {
    const id = await made(own, '/offer_channels', { product_id, name: 'Channel' })
    await made(own, `/offer_channels/${id}/policies`, {
      policy: { ...fixedPolicy, ...policy },
      activate: true,
    })
    return id
  }

  /** An offer whose terms require a payment. */
  async function newOffer(body: object = {}, policy: object = {}) {
    const key = JSON.stringify(policy)
    const channel = channels.get(key) ?? newChannel(policy)
    channels.set(key, channel)
    const offer = await own('POST', '/offers', {
      product_id,
      offer_channel_id: await channel,
      allow_api_tokens: true,
      ...body,
    })
    if (offer.status !== 201) throw new Error(`POST /offers answered ${JSON.stringify(offer)}`)
    return { id: offer.body.id, short_hash: String(offer.body.short_hash) }
  }

  /** An order by the other workspace, with its payment due. */
  async function newOrder(short_hash: string, customer = send): Promise<string> {
    const id = await made(customer, `/i/${short_hash}/orders`, {})
    return patiently(async () => {
      const { status, body } = await customer('POST', `/orders/${id}/submit`, { field_values: {} })
      if (body.state === 'awaiting_checkout') return id
      throw new Error(`submit answered ${status}: ${JSON.stringify(body)}`)
    })
  }

  async function begin(order: string): Promise<FakeSession> {
    const { status, body } = await send('POST', `/orders/${order}/checkout`)
    const session = [...stripe.sessions.values()].find(({ url }) => url !== null && url === body.url)
    if (status !== 200 || !session) throw new Error(`checkout answered ${status}: ${JSON.stringify(body)}`)
    return session
  }

  /** Calls as the gateway does, with a shorter deadline. */
  async function beginWithin(id: string, budgetMs: number): Promise<Reply> {
    const bus = await connectBus(stack.stack.bus('tests'), { info() {}, warn() {}, error() {} })
    try {
      const body = await invoke(createCall(bus), offers, 'begin_checkout', {
        caller: { kind: 'internal', id: 'gateway', workspace: stack.dev.other_workspace_id },
        params: { id },
        deadline: Date.now() + budgetMs,
      })
      return { status: 200, body: body as unknown as Reply['body'] }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: error.body as Reply['body'] }
    } finally {
      await bus.close()
    }
  }

  return {
    ...scene,
    sql,
    stripe,
    beginWithin,
    send,
    newOffer,
    newOrder,
    begin,
    async newDueOrder(offer: object = {}) {
      const { id: offer_id, short_hash } = await newOffer(offer)
      const order = await newOrder(short_hash)
      return { offer_id, short_hash, order, session: await begin(order) }
    },
    /** An order whose payment is due, while another order of the same offer is in progress. */
    async newRival() {
      const { id: offer_id, short_hash } = await newOffer({ max_uses: 2 })
      const order = await newOrder(short_hash)
      return { offer_id, order, session: await begin(order), other: await newOrder(short_hash, own) }
    },
    /** Expires the order and leaves the last seat to the other one, in one statement, since a sweep may come at any moment. */
    loseSeat: ({ order, offer_id }: { order: string; offer_id: string }) =>
      sql`
        with narrowed as (update offers.offers set max_uses = 1 where id = ${offer_id})
        update offers.orders set expires_at = 1 where id = ${order}`,
    /** Posts it as Stripe does; returns the status. */
    async deliver(
      text: string,
      { header = signature(text), gateway = 0 }: { header?: string | null; gateway?: number } = {},
    ) {
      const response = await fetch(`${stack.baseUrls[gateway % stack.baseUrls.length]}/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          ...(header !== null && { 'stripe-signature': header }),
        },
        body: text,
      })
      await response.arrayBuffer()
      return response.status
    },
    /** An order whose payment is processing: its session is completed, and not paid yet. */
    async newWaiting(offer: object = {}) {
      const { order, session } = await this.newDueOrder(offer)
      const waiting = structuredClone(stripe.complete(session.id, true))
      const status = await this.deliver(completed(waiting))
      if (status !== 200) throw new Error(`The message was answered ${status}`)
      return { order, session, waiting }
    },
    /** In how many hours its session is looked up next. */
    async dueInHours(order: string) {
      const [row] = await sql`select due_at from offers.checkout_sessions where order_id = ${order}`
      return row?.due_at === null ? null : Math.round((Number(row?.due_at) - Date.now()) / 3_600_000)
    },
    deliverPayment: (session: FakeSession) => completed(stripe.complete(session.id)),
    event: eventText,
    order: async (id: string) => (await send('GET', `/orders/${id}`)).body,
    state: async (id: string) => (await send('GET', `/orders/${id}`)).body.state,
    /** The state of its refund. */
    async refundOf(order: string) {
      const { checkout } = (await send('GET', `/orders/${order}`)).body
      return (checkout as { refund: 'due' | 'done' | null }).refund
    },
    /** Payments without an install that were not refunded, and installs without a payment, except for the given sessions. */
    async wrongPayments(but: ReadonlySet<string> = new Set()) {
      const rows = await sql<{ order_id: string }[]>`
        select i.order_id from offers.installs i join offers.orders o on o.id = i.order_id where o.checkout_provider = 'stripe'`
      const sessions = [...stripe.sessions.values()]
      const before = sessions.flatMap(({ id, client_reference_id }) =>
        but.has(id) ? client_reference_id : [],
      )
      const kept = sessions
        .filter(({ id }) => !but.has(id))
        .filter(({ invoice, payment_status }) => {
          const payment = stripe.payments.get(invoice ?? '')
          return payment ? !payment.refunded : payment_status === 'no_payment_required'
        })
        .map(({ client_reference_id }) => client_reference_id ?? '')
      const installed = rows.map(({ order_id }) => order_id).filter(order => !before.includes(order))
      return {
        kept_for_nothing: kept.filter(order => !installed.includes(order)),
        kept_twice: kept.filter((order, at) => kept.indexOf(order) !== at),
        not_paid: installed.filter(order => !kept.includes(order)),
      }
    },
    installsOf: (order: string) => sql`select id from offers.installs where order_id = ${order}`,
    sessionsOf: (order: string) =>
      sql`select attempt, id, state, tries from offers.checkout_sessions where order_id = ${order} order by attempt`,
    /** Makes the order expire. */
    expire: (order: string) => sql`update offers.orders set expires_at = 1 where id = ${order}`,
    /** Makes the look-up of its session at Stripe due now. */
    look: (order: string) =>
      sql`update offers.checkout_sessions set due_at = 1 where order_id = ${order} and due_at is not null`,
    async stop() {
      await scene.stop()
      await stripe.stop()
    },
  }
}

/** A process that has just started compiles a schema first, which takes long on a busy machine. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  let result: T | undefined
  await waitOften('the scene is set', async () => {
    result = await work()
    return true
  })
  return result as T
}
