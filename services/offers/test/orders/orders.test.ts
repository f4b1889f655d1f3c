// The life of an order: which steps each state allows, who may take them, and what they change.
import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { events } from '@svc/contract/events'
import { orderStates } from '@svc/contract/offers/orders'
import { sized } from '@svc/testing/size'
import { describe, expect, test } from 'vitest'
import { codeOf, newCustomer, type Running, shareOffers, type Way } from '../running-offers.ts'

const running = forFile(shareOffers)

type Scene = Awaited<ReturnType<typeof ordered>>

/** A fresh order. */
async function ordered(way: Way = 'both', given: Record<string, unknown> = {}) {
  const offer = await running.newOffer({ way, ...given })
  const customer = newCustomer()
  const { status, body } = await running.order(offer.short_hash, customer)
  expect(status).toBe(201)
  return { offer, customer, id: body.id }
}

const reach: Record<string, (scene: Scene) => Promise<unknown>> = {
  open: async () => {},
  awaiting_approval: ({ id, customer }) => running.submit(id, customer),
  async awaiting_checkout(scene) {
    await reach.awaiting_approval?.(scene)
    await running.approve(scene.id)
  },
  async completed(scene) {
    await reach.awaiting_checkout?.(scene)
    await running.pay(scene.id)
  },
  async rejected(scene) {
    await reach.awaiting_approval?.(scene)
    await running.reject(scene.id, { reason: 'No.' })
  },
  cancelled: ({ id, customer }) => running.cancel(id, customer),
  expired: async () => running.pass(121),
}

const steps: Record<string, (scene: Scene) => ReturnType<Running['approve']>> = {
  submit: ({ id, customer }) => running.submit(id, customer),
  cancel: ({ id, customer }) => running.cancel(id, customer),
  approve: ({ id }) => running.approve(id),
  reject: ({ id }) => running.reject(id),
  confirm_payment: ({ id }) => running.pay(id),
  checkout: ({ id, customer }) => running.ask('begin_checkout', customer, { params: { id } }),
}

const allowed = new Set([
  'open submit',
  'open cancel',
  'awaiting_approval approve',
  'awaiting_approval reject',
  'awaiting_approval cancel',
  'awaiting_checkout confirm_payment',
  'awaiting_checkout checkout',
  'awaiting_checkout cancel',
])

describe('a step that the state does not allow is 409 with the state, and changes nothing', () => {
  test.each(orderStates)('%s', async state => {
    const scene = await ordered()
    await reach[state]?.(scene)
    const before = await everything(scene)
    expect(before.view).toMatchObject({ state })
    for (const [name, step] of Object.entries(steps)) {
      if (allowed.has(`${state} ${name}`)) continue
      const { status, body } = await step(scene)
      expect({ name, status, errors: body.errors }).toMatchObject({
        name,
        status: 409,
        errors: [{ code: 40910, metadata: { state } }],
      })
      const after = await everything(scene)
      // The expiry may be stored meanwhile.
      if (state === 'expired')
        for (const it of [before, after]) Object.assign(it, { events: [], row: [], held: 0 })
      expect(after).toEqual(before)
    }
    running.clock.offsetMs = 0
  })

  async function everything({ offer, id }: Scene) {
    const { updated_at, ...view } = (await running.getOrder(id)).body
    const { held, ...seats } = await running.seats(offer.id)
    return {
      view,
      row: await running.sql`select xmin::text, * from offers.orders where id = ${id}`,
      events: await running.eventTypes(id),
      seats,
      held,
    }
  }
})

test.each<[Way, string[]]>([
  ['direct', ['created', 'completed']],
  ['approval', ['created', 'awaiting_approval', 'completed']],
  ['checkout', ['created', 'awaiting_checkout', 'completed']],
  ['both', ['created', 'awaiting_approval', 'awaiting_checkout', 'completed']],
])(
  'the whole way with %s: each transition has one event, in order, and so has the install',
  async (way, events) => {
    const { offer, customer, id } = await ordered(way, { max_uses: 3 })
    await running.submit(id, customer, { field_values: { note: 'mine' } })
    if (way === 'approval' || way === 'both') await running.approve(id)
    const isPaid = way === 'checkout' || way === 'both'
    if (isPaid) await running.pay(id)
    const { body } = await running.getOrder(id, customer)
    expect(body).toMatchObject({
      state: 'completed',
      field_values: { note: 'mine' },
      workspace_id: customer.workspace,
    })
    expect(await running.eventTypes(id)).toEqual(events.map(state => `orders.${state}`))
    expect(await running.eventTypes(String(body.install_id))).toEqual([
      'installs.created',
      ...(isPaid ? ['subscriptions.started'] : []),
    ])
    const { body: install } = await running.ask('get_install', customer, {
      params: { id: String(body.install_id) },
    })
    expect(install).toMatchObject({
      order_id: id,
      offer_id: offer.id,
      workspace_id: customer.workspace,
      seller_workspace_id: running.seller,
      field_values: { note: 'mine' },
    })
    expect(await running.getOffer(offer.id)).toMatchObject({
      body: { state: 'active', seats: { max_uses: 3, redeemed: 1, reserved: 0, available: 2 } },
    })
  },
)

test('every event is as the contract says', async () => {
  const written = []
  for (const state of orderStates) {
    const scene = await ordered()
    await reach[state]?.(scene)
    while (await running.sweep()) {}
    running.clock.offsetMs = 0
    await running.revoke(scene.offer.id)
    const { install_id } = (await running.getOrder(scene.id)).body
    written.push(
      ...(await running.sql<{ subject: string; payload: unknown }[]>`
        select subject, payload from offers.outbox
        where aggregate_id in (${scene.id}, ${scene.offer.id}, ${String(install_id)})`),
    )
  }
  for (const { subject, payload } of written) {
    const type = subject.replace('events.', '') as keyof typeof events
    expect(events[type]?.safeParse(payload)).toMatchObject({ success: true })
  }
  expect([...new Set(written.map(({ subject }) => subject))].sort()).toEqual([
    'events.installs.created',
    'events.offers.created',
    'events.offers.revoked',
    'events.orders.awaiting_approval',
    'events.orders.awaiting_checkout',
    'events.orders.cancelled',
    'events.orders.completed',
    'events.orders.created',
    'events.orders.expired',
    'events.orders.rejected',
    'events.subscriptions.started',
  ])
})

describe('permission to order', () => {
  test.each<
    [string, (scene: Scene, colleague: Caller, stranger: Caller) => ReturnType<Running['approve']>, unknown[]]
  >([
    ['a colleague does not submit', ({ id }, colleague) => running.submit(id, colleague), [403, 40306]],
    ['a colleague cancels', ({ id }, colleague) => running.cancel(id, colleague), [200]],
    ['a colleague reads', ({ id }, colleague) => running.getOrder(id, colleague), [200]],
    ['a stranger does not read', ({ id }, _, stranger) => running.getOrder(id, stranger), [404, 40402]],
    ['a stranger does not submit', ({ id }, _, stranger) => running.submit(id, stranger), [404, 40402]],
    ['a stranger does not cancel', ({ id }, _, stranger) => running.cancel(id, stranger), [404, 40402]],
    ['the seller does not submit', ({ id }) => running.submit(id, running.internal), [404, 40402]],
    ['the seller cancels', ({ id }) => running.cancel(id, running.internal), [200]],
    ...(['approve_order', 'reject_order', 'confirm_payment'] as const).map(
      step =>
        [
          `the customer does not ${step}`,
          async ({ id, customer }: Scene) => {
            await running.submit(id, customer)
            return running.ask(step, customer, {
              params: { id },
              ...(step === 'reject_order' && { body: {} }),
            })
          },
          [404, 40402],
        ] as never,
    ),
  ])('%s', async (_, attempt, expected) => {
    const scene = await ordered()
    const colleague: Caller = { ...newCustomer(), workspace: scene.customer.workspace }
    expect(codeOf(await attempt(scene, colleague, newCustomer()))).toEqual(expected)
  })

  test('an allowlist compares verified addresses case-insensitively', async () => {
    const { short_hash } = await running.newOffer({ allowed_emails: ['Anna@Example.com'] })
    const ask = async (caller: Caller) => codeOf(await running.order(short_hash, caller))
    expect(await ask(newCustomer('anna@example.com'))).toEqual([201])
    expect(await ask(newCustomer('bert@example.com'))).toEqual([403, 40306])
    expect(await ask(newCustomer())).toEqual([403, 40306])
    const { workspace } = newCustomer()
    expect(await ask({ kind: 'api_token', id: 'tok_1', workspace, role: 'member' })).toEqual([403, 40306])
  })
})

describe('each customer has one order in progress for an offer', () => {
  test('ordering again returns it, and takes no seat', async () => {
    const { offer, customer, id } = await ordered('both', { max_uses: 2 })
    await running.submit(id, customer)
    const again = await running.order(offer.short_hash, { ...customer, id: 'sess_another' } as Caller)
    expect(again).toMatchObject({ status: 201, replayed: true, body: { id, state: 'awaiting_approval' } })
    expect(await running.seats(offer.id)).toMatchObject({ held: 1 })
  })

  test('ordering for another workspace is refused with the order in progress, until that has ended', async () => {
    const { offer, customer, id } = await ordered('both', { max_uses: 2 })
    const elsewhere = { ...customer, workspace: newCustomer().workspace }
    for (const state of ['open', 'awaiting_approval', 'awaiting_checkout']) {
      expect((await running.getOrder(id, customer)).body.state).toBe(state)
      const refused = await running.order(offer.short_hash, elsewhere)
      expect(codeOf(refused)).toEqual([409, 40917])
      expect(refused.body.errors).toMatchObject([
        { metadata: { order_id: id, workspace_id: customer.workspace } },
      ])
      if (state === 'open') await running.submit(id, customer)
      if (state === 'awaiting_approval') await running.approve(id)
    }
    await running.cancel(id, running.internal)
    expect(await running.order(offer.short_hash, elsewhere)).toMatchObject({ status: 201, replayed: false })
    expect(await running.seats(offer.id)).toMatchObject({ held: 1 })
  })

  test(`${sized(30, 100)} concurrent requests create one`, async () => {
    const offer = await running.newOffer({ max_uses: null })
    const customer = newCustomer()
    const answers = await Promise.all(
      Array.from({ length: sized(30, 100) }, () => running.order(offer.short_hash, customer)),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed).length).toBe(1)
    expect(await running.seats(offer.id)).toMatchObject({ held: 1 })
  })
})

describe('a seat is freed at once', () => {
  const waysBack = ['expired', 'cancelled', 'rejected'] as const
  test.each(waysBack)('%s', async state => {
    const scene = await ordered()
    const next = newCustomer()
    expect(codeOf(await running.order(scene.offer.short_hash, next))).toEqual([409, 40914])
    await reach[state]?.(scene)
    expect(codeOf(await running.order(scene.offer.short_hash, next))).toEqual([201])
    expect((await running.eventTypes(scene.id)).at(-1)).toBe(`orders.${state}`)
    running.clock.offsetMs = 0
  })

  test('a replica whose clock is behind does not give a freed seat out a second time', async () => {
    const scene = await ordered('direct')
    running.pass(121)
    expect(codeOf(await running.order(scene.offer.short_hash, newCustomer()))).toEqual([201])
    running.clock.offsetMs = 0
    const late = await running.submit(scene.id, scene.customer)
    expect(late.body.errors).toMatchObject([{ code: 40910, metadata: { state: 'expired' } }])
    expect(await running.seats(scene.offer.id)).toMatchObject({ held: 1, redeemed: 0 })
  })

  test('the time to live starts again with submit and approve, and ends with the offer', async () => {
    const expires_at = Math.floor(Date.now() / 1000) + 300 * 60
    const { id, customer } = await ordered('both', { expires_at })
    const expiry = async () => Number((await running.getOrder(id)).body.expires_at)
    const began = await expiry()
    running.pass(100)
    await running.submit(id, customer)
    expect((await expiry()) - began).toBeGreaterThanOrEqual(6000)
    running.pass(100)
    await running.approve(id)
    expect(await expiry()).toBe(expires_at)
    running.pass(100)
    expect((await running.getOrder(id)).body.state).toBe('expired')
    running.clock.offsetMs = 0
  })
})

describe('an offer that has ended', () => {
  test.each<[string, number, (scene: Scene) => unknown]>([
    ['revoked', 40911, ({ offer }) => running.revoke(offer.id)],
    ['exhausted', 40913, ({ id, customer }) => running.submit(id, customer)],
    ['expired', 40912, () => running.pass(60)],
  ])('%s', async (state, code, end) => {
    const scene = await ordered('direct', { expires_at: Math.floor(Date.now() / 1000) + 3600 })
    await end(scene)
    expect(codeOf(await running.order(scene.offer.short_hash, newCustomer()))).toEqual([409, code])
    expect((await running.getOffer(scene.offer.id)).body.state).toBe(state)
    running.clock.offsetMs = 0
  })

  test('revoked: its orders are cancelled with it, with the reason; those already expired stay expired', async () => {
    const { offer, customer, id } = await ordered('both', { max_uses: null })
    running.pass(121)
    const second = await running.order(offer.short_hash, newCustomer())
    expect(await running.revoke(offer.id)).toMatchObject({ status: 200 })
    expect(await running.getOrder(id, customer)).toMatchObject({ body: { state: 'expired', reason: null } })
    expect(await running.getOrder(second.body.id)).toMatchObject({
      body: { state: 'cancelled', reason: 'The offer was revoked.' },
    })
    expect(await running.eventTypes(offer.id)).toEqual(['offers.created', 'offers.revoked'])
    await running.revoke(offer.id)
    expect(await running.eventTypes(offer.id)).toEqual(['offers.created', 'offers.revoked'])
    running.clock.offsetMs = 0
  })
})
