// Killing a replica between any two steps of a payment loses no seat, no install and no money.
import { waitUntil as waitOften } from '@svc/local/wait-until'
import type { Fault } from '@svc/testing/stripe/stripe-server'
import { beforeAll, expect, test } from 'vitest'
import { scene, waitUntil } from '../checkout/checkout-scene.ts'
import { latch } from '../in-process.ts'
import { killAll, replicas } from './replicas.ts'

let before: Set<string>
beforeAll(async () => {
  before = new Set(scene.stripe.sessions.keys())
  // A single replica, so that no other one finishes its work.
  const [one, ...others] = replicas()
  await Promise.all([one?.start(), ...others.map(other => other.stop())])
})

interface Payment {
  /** Resolves when the service is working on it, or will be as soon as it resumes its work at Stripe. */
  readonly begin: () => Promise<UnderWay>
  readonly check: () => Promise<void>
}
interface UnderWay {
  /** Resolves when the service may be killed. */
  readonly reached?: Promise<void>
}

const killed = latch()

/** Holds up the next request of this kind until the service has been killed. */
async function until(on: string, begin: () => Promise<unknown>, held = killed.opened) {
  const fault: Fault = { kind: 'slow', on, times: 1, until: held }
  scene.stripe.faults.push(fault)
  const done = begin().catch(() => undefined)
  const reached = waitOften(`Stripe has ${on}`, () => fault.times === 0)
  await Promise.race([done, reached])
  return { done, reached }
}

/** Work at Stripe: the sweep does the first piece alone, and all others at once, when the returned function is called. */
async function holdFirst() {
  const { order, session } = await scene.newWaiting()
  const first = latch()
  const path = `GET /v1/checkout/sessions/${session.id}`
  await (await until(path, async () => scene.look(order), first.opened)).reached
  return first.open
}

const stateOf = async (order: string) => (await scene.sessionsOf(order))[0]?.state

async function beginning(): Promise<Payment> {
  const { short_hash } = await scene.newOffer()
  const order = await scene.newOrder(short_hash)
  return {
    begin: () => until('POST /v1/checkout/sessions', () => scene.send('POST', `/orders/${order}/checkout`)),
    async check() {
      await waitUntil('Stripe has made it', () => scene.stripe.openSessions(order).length > 0)
      expect((await scene.sessionsOf(order))[0]).toMatchObject({ attempt: 1, id: null, state: 'open' })
      const session = await scene.begin(order)
      expect(scene.stripe.openSessions(order)).toEqual([session])
      expect(await scene.sessionsOf(order)).toEqual([{ attempt: 1, id: session.id, state: 'open', tries: 0 }])
    },
  }
}

async function delivered(): Promise<Payment> {
  const { order, session } = await scene.newDueOrder()
  const text = scene.deliverPayment(session)
  return {
    async begin() {
      const deliver = (_: unknown, n: number) =>
        scene.deliver(text, { gateway: n % 2 }).catch(() => undefined)
      await Promise.race(Array.from({ length: 40 }, deliver))
      return {}
    },
    async check() {
      for (let n = 0; n < 5; n++) expect(await scene.deliver(text)).toBe(200)
      expect(await scene.installsOf(order)).toHaveLength(1)
    },
  }
}

/** @param sub whether the request names the subscription */
const sentBack =
  (on: string, sub = false) =>
  async (): Promise<Payment> => {
    const rival = await scene.newRival()
    const { order, session } = rival
    const text = scene.deliverPayment(session)
    const refunds = () => {
      const paid = scene.stripe.payments.get(session.invoice ?? '')?.payment_intent
      return scene.stripe.refunds.filter(({ payment_intent }) => payment_intent === paid)
    }
    return {
      async begin() {
        await scene.loseSeat(rival)
        return until(sub ? `${on}/${session.subscription}` : on, () => scene.deliver(text))
      },
      async check() {
        expect(await scene.refundOf(order)).toBe('due')
        // The killed replica's claim has to run out.
        expect((await scene.sessionsOf(order))[0]).toMatchObject({ state: 'refund_due', tries: 1 })
        await scene.look(order)
        await waitUntil('the refund is done', async () => (await stateOf(order)) === 'refunded')
        expect(await scene.refundOf(order)).toBe('done')
        expect(refunds()).toHaveLength(1)
        expect(scene.stripe.subscriptions.get(session.subscription ?? '')?.status).toBe('canceled')
      },
    }
  }

const failed =
  (on: 'GET /v1/checkout/sessions' | 'DELETE /v1/subscriptions') => async (): Promise<Payment> => {
    const { order, session } = await scene.newWaiting()
    const text = scene.event(
      'checkout.session.async_payment_failed',
      structuredClone(scene.stripe.fail(session.id)),
    )
    const id = on.startsWith('GET') ? session.id : session.subscription
    return {
      begin: () => until(`${on}/${id}`, () => scene.deliver(text)),
      async check() {
        expect((await scene.sessionsOf(order))[0]).toMatchObject({ state: 'cancel_due', tries: 1 })
        await scene.look(order)
        await waitUntil('it is done', async () => (await stateOf(order)) === 'closed')
        expect(scene.stripe.subscriptions.get(session.subscription ?? '')?.status).toBe('canceled')
      },
    }
  }

/** Its reply is what counts: Stripe is asked later. */
async function cancelling(): Promise<Payment> {
  const { order, session } = await scene.newDueOrder()
  expect(await scene.deliver(scene.deliverPayment(session))).toBe(200)
  const id = String((await scene.installsOf(order))[0]?.id)
  const change = `POST /v1/subscriptions/${session.subscription}`
  const cancel = async () => {
    const { status, body } = await scene.owner('POST', `/installs/${id}/cancel_subscription`)
    expect([status, body]).toMatchObject([200, { subscription: { cancel_at: expect.any(Number) } }])
  }
  return {
    async begin() {
      const { done, reached } = await until(change, cancel)
      await done
      return { done, reached }
    },
    async check() {
      // The killed replica's claim has to run out.
      await scene.sql`update offers.subscriptions set check_at = 1 where install_id = ${id}`
      await waitUntil('it is carried out', async () => {
        const [row] = await scene.sql`select wanted from offers.subscriptions where install_id = ${id}`
        return row?.wanted === null
      })
      const { cancel_at } = scene.stripe.subscriptions.get(session.subscription ?? '') ?? {}
      const { subscription } = (await scene.owner('GET', `/installs/${id}`)).body
      expect(subscription).toMatchObject({ state: 'active', cancel_at })
      const asked = scene.stripe.requests.filter(({ line }) => line === change)
      // Stripe carries out the requests of one key once.
      expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
    },
  }
}

async function ending(): Promise<Payment> {
  const { order, session } = await scene.newDueOrder()
  return {
    begin: () =>
      until(`POST /v1/checkout/sessions/${session.id}/expire`, () =>
        scene.send('POST', `/orders/${order}/cancel`),
      ),
    async check() {
      await scene.look(order)
      await waitUntil('it is ended', async () => (await stateOf(order)) === 'closed')
      expect(session.status).toBe('expired')
    },
  }
}

const arranged = [
  sentBack('DELETE /v1/subscriptions', true),
  // Either of these two may be at either place.
  sentBack('GET /v1/invoice_payments'),
  sentBack('POST /v1/refunds'),
  failed('GET /v1/checkout/sessions'),
  failed('DELETE /v1/subscriptions'),
  cancelling,
  ending,
  beginning,
]

test('between any two requests to Stripe, and during deliveries: what is repeated is done once', async () => {
  const all: Payment[] = []
  for (const arrange of arranged) all.push(await arrange())
  const deliveries = await delivered()
  const resume = await holdFirst()
  const underWay: UnderWay[] = []
  for (const { begin } of all) underWay.push(await begin())
  resume()
  for (const { reached } of underWay) await reached
  // Last, as they are soon over.
  all.push(deliveries)
  underWay.push(await deliveries.begin())
  await killAll()
  killed.open()
  await replicas()[0]?.start()
  await Promise.all(all.map(({ check }) => check()))
})

test('in the end every payment that was not refunded has its install, and every install its payment', async () => {
  expect(scene.stripe.payments.size).toBeGreaterThan(3)
  expect(await scene.wrongPayments(before)).toEqual({ kept_for_nothing: [], kept_twice: [], not_paid: [] })
})
