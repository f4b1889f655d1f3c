// POST /webhooks/stripe: which events are accepted, and that each has its effect once, in any order and however often it comes.
import { everything, sized } from '@svc/testing/size'
import type { TransactionSql } from 'postgres'
import { beforeAll, describe, expect, test } from 'vitest'
import { scene, waitUntil } from '../checkout-scene.ts'
import { completed, signature, webhookSecret } from '@svc/testing/stripe/stripe-server'

const seconds = () => Math.floor(Date.now() / 1000)
const body = '{"id":"evt_1","object":"event","type":"customer.created","data":{"object":{"id":"cus_1"}}}'
const v1 = (header: string) => header.replace(/^.*v1=/, '')
const stranger = (timestamp = seconds()) => signature(body, { secret: 'whsec_anotherOne', timestamp })

const withOthers = (timestamp: number) =>
  `${stranger(timestamp)},v1=${v1(signature(body, { timestamp }))},v0=00`

describe('an event', () => {
  test.each<[string, number, string, () => string | null]>([
    ['signed as it was sent', 200, body, () => signature(body)],
    ['signed some minutes ago', 200, body, () => signature(body, { timestamp: seconds() - 250 })],
    ['with several signatures, one of them right', 200, body, () => withOthers(seconds())],
    ['with another scheme before it', 200, body, () => `v2=00,${signature(body)}`],
    ['signed with another secret', 400, body, () => stranger()],
    ['with many signatures, none of them ours', 400, body, () => `${stranger()},v1=${'0'.repeat(64)},v1=`],
    ['signed too long ago', 400, body, () => signature(body, { timestamp: seconds() - 330 })],
    [
      'with a time other than the signed one',
      400,
      body,
      () => signature(body).replace(/t=\d+/, `t=${seconds() - 5}`),
    ],
    ['with another byte', 400, body.replace('cus_1', 'cus_2'), () => signature(body)],
    ['with another space', 400, body.replace(',', ', '), () => signature(body)],
    ['with more bytes', 400, `${body}\n`, () => signature(body)],
    ['with fewer bytes', 400, body.slice(0, -1), () => signature(body)],
    ['with an empty body', 400, '', () => signature('')],
    ['without a signature', 400, body, () => null],
    ['with an empty signature', 400, body, () => ''],
    ['with a malformed signature', 400, body, () => 'believe me'],
    ['with a signature of another scheme', 400, body, () => signature(body).replace('v1=', 'v0=')],
    ['without a time', 400, body, () => signature(body).replace(/t=\d+,/, '')],
    ['with the secret as its signature', 400, body, () => `t=${seconds()},v1=${webhookSecret}`],
    ['that is not JSON', 400, 'body', () => signature('body')],
  ])('%s: %d', async (_how, status, text, header) => {
    expect(await scene.deliver(text, { header: header() })).toBe(status)
  })

  test('is verified by its raw bytes', async () => {
    const text = '{ "id":"evt_2",\r\n\t"object":"event", "type":"x.\\u00e9é€😀", "data":{"object":{}} }  '
    expect(await scene.deliver(text)).toBe(200)
  })

  test('that is refused gets the reason, and nothing about the secret', async () => {
    const response = await fetch(`${scene.stack.baseUrls[0]}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': stranger() },
      body,
    })
    const answer = await response.text()
    expect([response.status, JSON.parse(answer).errors[0].path]).toEqual([400, ['Stripe-Signature']])
    expect(answer).not.toContain(v1(signature(body)))
    expect(answer).not.toContain('whsec_')
  })
})

const deliveries = sized(20, 500)
test(`${deliveries} deliveries of one event at once, to both gateways, start one install`, async () => {
  const { order, session, offer_id } = await scene.newDueOrder({ max_uses: 5 })
  const text = scene.deliverPayment(session)
  const answers = await Promise.all(
    Array.from({ length: deliveries }, (_, n) => scene.deliver(text, { gateway: n % 2 })),
  )
  // An overloaded replica refuses, and Stripe delivers again.
  expect(answers.filter(status => status !== 200 && status !== 503)).toEqual([])
  expect(answers).toContain(200)
  expect(await scene.deliver(text)).toBe(200)
  expect(await scene.installsOf(order)).toHaveLength(1)
  expect((await scene.own('GET', `/offers/${offer_id}`)).body.seats).toMatchObject({
    redeemed: 1,
    reserved: 0,
    available: 4,
  })
})

test('different events of one payment at once start one install, and nothing is refunded', async () => {
  const { order, session } = await scene.newDueOrder()
  scene.stripe.complete(session.id)
  const texts = Array.from({ length: sized(10, 20) }, (_, n) =>
    scene.event(
      `checkout.session.${n % 2 ? 'completed' : 'async_payment_succeeded'}`,
      structuredClone(session),
    ),
  )
  const statuses = await Promise.all(texts.map((text, n) => scene.deliver(text, { gateway: n % 2 })))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await scene.installsOf(order)).toHaveLength(1)
  expect((await scene.sessionsOf(order))[0]?.state).toBe('paid')
})

describe.concurrent('in any order', () => {
  const unpaid = 'checkout.session.completed'
  const succeeded = 'checkout.session.async_payment_succeeded'
  const failed = 'checkout.session.async_payment_failed'
  const expired = 'checkout.session.expired'
  const everyOrder: [string[], string, string][] = [
    [[unpaid], 'awaiting_checkout', 'processing'],
    [[unpaid, succeeded], 'completed', 'paid'],
    [[unpaid, failed], 'awaiting_checkout', 'closed'],
    [[expired, expired], 'awaiting_checkout', 'closed'],
    [[succeeded, unpaid], 'completed', 'paid'],
    [[unpaid, succeeded, failed, expired], 'completed', 'paid'],
    [[failed, unpaid], 'awaiting_checkout', 'closed'],
    [[expired, failed], 'awaiting_checkout', 'closed'],
    // Its subscription had been cancelled.
    [[unpaid, failed, succeeded], 'awaiting_checkout', 'refunded'],
    [[expired, succeeded], 'completed', 'paid'],
  ]
  // The first four also occur in the other files.
  test.each(everyOrder.slice(everything ? 0 : 4))(
    '%j: the order is %s',
    async (types, orderState, sessionState) => {
      const { order, session } = await scene.newDueOrder()
      const waiting = structuredClone(scene.stripe.complete(session.id, true))
      const inTime = types.includes(succeeded)
      const paid = structuredClone(inTime ? scene.stripe.collect(session.id) : scene.stripe.fail(session.id))
      const texts = types.map(type =>
        scene.event(
          type,
          type === succeeded ? paid : { ...waiting, ...(type === expired && { status: 'expired' }) },
        ),
      )
      for (const text of [...texts, ...texts]) expect(await scene.deliver(text)).toBe(200)
      expect(await scene.state(order)).toBe(orderState)
      await waitUntil('the expected state of the session', async () => {
        return (await scene.sessionsOf(order)).every(({ state }) => state === sessionState)
      })
      const ended = types.includes(failed) && sessionState !== 'paid'
      const subscription = scene.stripe.subscriptions.get(session.subscription ?? '')?.status
      expect(subscription === 'canceled').toBe(ended)
      expect(await scene.installsOf(order)).toHaveLength(orderState === 'completed' ? 1 : 0)
    },
  )
})

test('a session whose id was never stored is found by its order and attempt', async () => {
  const { order, session } = await scene.newDueOrder()
  await scene.sql`update offers.checkout_sessions set id = null, url = null where order_id = ${order}`
  expect(await scene.deliver(scene.deliverPayment(session))).toBe(200)
  expect(await scene.state(order)).toBe('completed')
  expect((await scene.sessionsOf(order))[0]?.id).toBe(session.id)
})

describe('an event that concerns no order is accepted and logged, and changes nothing', () => {
  let due: Awaited<ReturnType<typeof scene.newDueOrder>>
  beforeAll(async () => {
    due = await scene.newDueOrder()
    scene.stripe.complete(due.session.id)
  })

  test.each([
    ['another type', 'invoice.paid', {}],
    [
      'a session of an unknown order',
      'checkout.session.completed',
      { metadata: { order_id: 'order_x', attempt: '1' } },
    ],
    ['a session that names no order', 'checkout.session.completed', { metadata: null }],
    [
      'a session with nonsense in its metadata',
      'checkout.session.completed',
      { metadata: { order_id: '', attempt: '99999999999999' } },
    ],
    ['a session of another attempt', 'checkout.session.completed', { metadata: { attempt: '2' } }],
  ])('%s', async (_what, type, change) => {
    const { order, session } = due
    const metadata = { ...session.metadata, ...(change as { metadata?: object }).metadata }
    const object = {
      ...session,
      id: `${session.id}x`,
      metadata,
      ...('metadata' in change && change.metadata === null ? { metadata: null } : {}),
    }
    const text = scene.event(type, object)
    expect(await scene.deliver(text)).toBe(200)
    expect(await scene.state(order)).toBe('awaiting_checkout')
    expect(await scene.installsOf(order)).toEqual([])
  })
})

describe('an event whose object cannot be parsed is 503, so that it is delivered again, and is logged once', () => {
  const unreadable: [string, object | null][] = [
    ['completed', { payment_status: 7 }],
    ['expired', { metadata: [] }],
    ['async_payment_succeeded', { amount_total: 'much' }],
    ['async_payment_failed', { id: null }],
    ['completed', null],
  ]
  test.each(unreadable.slice(everything ? 0 : 2))('%s %j', async (name, change) => {
    const { order, session } = await scene.newDueOrder()
    const paid = structuredClone(scene.stripe.complete(session.id))
    const type = `checkout.session.${name}`
    const id = `evt_unreadable_${order}`
    const text = change
      ? scene.event(type, { ...paid, ...change }, id)
      : JSON.stringify({ id, object: 'event', type })
    for (let n = 0; n < sized(3, 6); n++) expect(await scene.deliver(text)).toBe(503)
    expect((await scene.sessionsOf(order))[0]?.state).toBe('open')
    // Now Stripe sends it corrected.
    expect(await scene.deliver(completed(paid, id))).toBe(200)
    expect(await scene.state(order)).toBe('completed')
    const logged = () =>
      scene.stack.lines.filter(line => line.includes(id) && line.includes('"outcome":"unreadable"'))
    await waitUntil('the log line', () => logged().length > 0)
    // Once by each replica that receives it.
    expect(logged().length).toBeLessThanOrEqual(2)
  })
})

test('an event that cannot be stored is 503, and is applied when it is delivered again', async () => {
  const { order, offer_id, session } = await scene.newDueOrder()
  const text = scene.deliverPayment(session)
  await scene.sql.begin(async sql => {
    await sql`select from offers.offers where id = ${offer_id} for update`
    const delivered = scene.deliver(text)
    if (!everything) await endWait(sql)
    expect(await delivered).toBe(503)
  })
  expect(await scene.state(order)).toBe('awaiting_checkout')
  expect(await scene.deliver(text)).toBe(200)
  expect(await scene.installsOf(order)).toHaveLength(1)
})

/** Cancels the statement that waits for this transaction, as its timeout would. */
const endWait = (sql: TransactionSql) =>
  waitUntil('a statement waits, and is ended', async () => {
    const ended = await sql`
      select pg_cancel_backend(pid) from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`
    return ended.length > 0
  })

test('a payment and a revocation at the same moment leave either an install or a refund, never both', async () => {
  for (let n = 0; n < sized(2, 12); n++) {
    const { order, offer_id, session } = await scene.newDueOrder()
    const text = completed(structuredClone(scene.stripe.complete(session.id)))
    const both = [() => scene.deliver(text), () => scene.own('POST', `/offers/${offer_id}/revoke`)]
    await Promise.all((n % 2 ? both : both.reverse()).map(each => each()))
    const installs = await scene.installsOf(order)
    const [state, refund] = installs.length === 1 ? ['completed', null] : ['cancelled', 'done']
    expect(await scene.state(order)).toBe(state)
    await waitUntil('the expected refund', async () => (await scene.refundOf(order)) === refund)
    expect(scene.stripe.payments.get(session.invoice ?? '')?.refunded).toBe(refund === 'done')
  }
})

test('a payment and a cancellation by the seller at the same moment leave either an install or a refund, and free no seat twice', async () => {
  for (let n = 0; n < sized(2, 12); n++) {
    // Seats are left, so a refund is not for lack of one.
    const { order, offer_id, session } = await scene.newDueOrder({ max_uses: 3 })
    const text = completed(structuredClone(scene.stripe.complete(session.id)))
    const cancel = () => scene.own('POST', `/orders/${order}/cancel`)
    const both = [() => scene.deliver(text), cancel, cancel]
    await Promise.all((n % 2 ? both : both.reverse()).map(each => each()))
    const installs = await scene.installsOf(order)
    const [state, refund] = installs.length === 1 ? ['completed', null] : ['cancelled', 'done']
    expect(await scene.state(order)).toBe(state)
    await waitUntil('the expected refund', async () => (await scene.refundOf(order)) === refund)
    expect(scene.stripe.payments.get(session.invoice ?? '')?.refunded).toBe(refund === 'done')
    const { body } = await scene.own('GET', `/offers/${offer_id}`)
    const redeemed = installs.length
    expect(body.seats).toEqual({ max_uses: 3, redeemed, reserved: 0, available: 3 - redeemed })
  }
})

test('a payment for an order that the seller has cancelled is refunded, even if a seat is free', async () => {
  const { order, session } = await scene.newDueOrder({ max_uses: 3 })
  const text = completed(structuredClone(scene.stripe.complete(session.id)))
  expect((await scene.own('POST', `/orders/${order}/cancel`)).status).toBe(200)
  expect(await scene.deliver(text)).toBe(200)
  expect(await scene.installsOf(order)).toEqual([])
  await waitUntil('the refund is done', async () => (await scene.refundOf(order)) === 'done')
  expect(await scene.state(order)).toBe('cancelled')
})
