// GET /orders: both sides, filters, pages; and the sweep, which changes nothing visible.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { findOrders } from '../../src/orders/find-orders.ts'
import { maxScanned } from '../../src/scanned-page.ts'
import { sweepBatch } from '../../src/orders/sweep-orders.ts'
import { newCustomer, type Running, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)

const list = async (caller: Parameters<Running['ask']>[1], query: Record<string, string> = {}) => {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await running.ask('list_orders', caller, {
      query: { limit: '2', ...query, ...(cursor && { cursor }) },
    })
    expect(status).toBe(200)
    ids.push(...body.data.map(({ id }) => String(id)))
    if (body.next_cursor === null) return ids
    cursor = String(body.next_cursor)
  }
}

describe('a list', () => {
  let customer: ReturnType<typeof newCustomer>
  const placed: string[] = []
  const offers: { id: string; short_hash: string }[] = []
  let foreign: string

  beforeAll(async () => {
    customer = newCustomer()
    for (let n = 0; n < 5; n++) {
      const offer = await running.newOffer({ max_uses: 2 })
      offers.push(offer)
      placed.unshift((await running.order(offer.short_hash, customer)).body.id)
    }
    foreign = (await running.order(offers[0]?.short_hash ?? '', newCustomer())).body.id
    await running.submit(placed[0] ?? '', customer)
    await running.cancel(placed[1] ?? '', customer)
  })

  test('placed orders are listed newest first', async () => {
    expect(await list(customer)).toEqual(placed)
    expect(await list(customer, { relation: 'placed', state: 'open' })).toEqual(placed.slice(2))
    expect(await list(customer, { state: 'cancelled' })).toEqual([placed[1]])
    expect(await list(customer, { offer_id: offers[4]?.id ?? '' })).toEqual([placed[0]])
    expect(await list(customer, { offer_id: offers[4]?.id ?? '', state: 'open' })).toEqual([])
    expect(await list(customer, { relation: 'received' })).toEqual([])
    expect(await list(newCustomer())).toEqual([])
  })

  test('received orders are listed', async () => {
    expect((await list(running.internal, { relation: 'received' })).slice(0, 6)).toEqual([foreign, ...placed])
    expect(await list(running.internal, { relation: 'received', offer_id: offers[0]?.id ?? '' })).toEqual([
      foreign,
      placed[4],
    ])
    expect(await list(running.internal, { relation: 'received', state: 'completed' })).toEqual([placed[0]])
    expect(await list(newCustomer(), { relation: 'received', offer_id: offers[0]?.id ?? '' })).toEqual([])
  })

  test('by states that are not stored yet', async () => {
    running.pass(121)
    expect(await list(customer, { state: 'expired' })).toEqual(placed.slice(2))
    expect(await list(customer, { state: 'open' })).toEqual([])
    running.clock.offsetMs = 0
  })

  test.each<Record<string, string>>([
    { cursor: 'b2ZmZXJfMQ' },
    { state: 'lost' },
    { relation: 'both' },
    { limit: '0' },
  ])('refuses %o', async query => {
    expect((await running.ask('list_orders', customer, { query })).status).toBe(400)
  })
})

/** Makes the ends of ids, which are references, unique. */
let filled = 0

/** Inserts orders directly, since placing so many would take too long. */
async function fill(count: number, { offer_id, minutes = 60 }: { offer_id: string; minutes?: number }) {
  const customer_workspace_id = newId('ws')
  await running.sql`
    insert into offers.orders (
      id, workspace_id, offer_id, customer_workspace_id, holder, state, expires_at, created_at, updated_at
    )
    select 'order_' || lpad(n::text, 10, '0') || ${newId('user')} || lpad((n + ${filled})::text, 8, '0'), ${running.seller}, ${offer_id}, ${customer_workspace_id},
      'user_' || n, 'open', ${running.clock.now() + minutes * 60_000}, now(), now()
    from generate_series(1, ${count}) as n`
  filled += count
  return customer_workspace_id
}

test('a page scans a bounded number of orders, and the next one continues from there', async () => {
  const { id: offer_id } = await running.newOffer({ max_uses: null })
  const empty = sized(1, 2)
  const workspace = await fill(maxScanned * empty + 10, { offer_id })
  const [oldest] = await running.sql<{ id: string }[]>`
    update offers.orders set state = 'cancelled' where id = (
      select min(id) from offers.orders where customer_workspace_id = ${workspace}
    ) returning id`
  for (const relation of ['placed', 'received'] as const) {
    const wanted = {
      relation,
      workspace: relation === 'placed' ? workspace : running.seller,
      offer_id,
      state: 'cancelled' as const,
      limit: 5,
      now: running.clock.now(),
    }
    let below = 'order_z'
    const pages: string[][] = []
    const { database } = running.replicas[0] as (typeof running.replicas)[number]
    for (;;) {
      const { ids, next } = await findOrders(database.sql, {
        ...wanted,
        range: { above: 'order_', below, order: 'desc' },
      })
      pages.push(ids)
      if (next === null) break
      below = next
    }
    expect(pages).toEqual([...Array(empty).fill([]), [oldest?.id]])
  }
})

test('when thousands of orders have just expired, new customers get exactly one seat each', async () => {
  const offer = await running.newOffer({ max_uses: 2001 })
  await fill(2000, { offer_id: offer.id, minutes: -1 })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => running.order(offer.short_hash, newCustomer())),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  // In the stored count, which all replicas share, no seat is taken twice meanwhile.
  expect((await running.seats(offer.id)).held).toBeLessThanOrEqual(2001)
  expect((await running.getOffer(offer.id)).body.seats).toMatchObject({ reserved: 5, available: 1996 })
})

describe('the sweep', () => {
  test('stores expired orders with exactly one event each, from any number of replicas at once', async () => {
    const { id: offer_id } = await running.newOffer({ max_uses: null })
    const count = sweepBatch * 3 + 7
    const workspace = await fill(count, { offer_id, minutes: -1 })
    const sweepAll = async (replica: number) => {
      while (await running.sweep(replica)) {}
    }
    await Promise.all([0, 1, 0, 1].map(sweepAll))
    const [row] = await running.sql`
      select count(*)::int as events, count(distinct aggregate_id)::int as orders from offers.outbox
      where subject = 'events.orders.expired'
        and aggregate_id in (select id from offers.orders where customer_workspace_id = ${workspace})`
    expect(row).toEqual({ events: count, orders: count })
    const [left] = await running.sql`
      select count(*)::int from offers.orders where customer_workspace_id = ${workspace} and state <> 'expired'`
    expect(left).toEqual({ count: 0 })
  })

  test('skips an order that another transaction has locked', async () => {
    const { id: offer_id } = await running.newOffer({ max_uses: null })
    const workspace = await fill(2, { offer_id, minutes: -1 })
    await running.sql.begin(async tx => {
      await tx`select from offers.orders where customer_workspace_id = ${workspace} order by id limit 1 for update`
      await running.sweep()
      const states = await running.sql`
        select state from offers.orders where customer_workspace_id = ${workspace} order by id`
      expect(states.map(({ state }) => state)).toEqual(['open', 'expired'])
    })
  })

  test('cancels the many orders of a revoked offer; nobody can see that it takes time', async () => {
    const offer = await running.newOffer({ max_uses: null })
    const customer = newCustomer()
    const { body } = await running.order(offer.short_hash, customer)
    const count = sized(1100, 3000)
    const workspace = await fill(count, { offer_id: offer.id })
    expect((await running.revoke(offer.id)).status).toBe(200)
    const written = async () => {
      const [row] = await running.sql`
        select count(*)::int from offers.orders where offer_id = ${offer.id} and state = 'cancelled'`
      return row?.count
    }
    expect(await written()).toBe(1000)
    expect(await running.submit(body.id, customer)).toMatchObject({
      status: 409,
      body: { errors: [{ code: 40910, metadata: { state: 'cancelled' } }] },
    })
    expect((await running.getOffer(offer.id)).body.seats).toMatchObject({ reserved: 0 })
    // Nor do they expire meanwhile.
    running.pass(200)
    const { body: listed } = await running.ask(
      'list_orders',
      { ...customer, workspace },
      { query: { limit: '100' } },
    )
    expect(new Set(listed.data.map(({ state, reason }) => `${state}: ${reason}`))).toEqual(
      new Set(['cancelled: The offer was revoked.']),
    )
    const sweepAll = async (replica: number) => {
      while (await running.sweep(replica)) {}
    }
    await Promise.all([0, 1].map(sweepAll))
    // A replica that finds the offer locked leaves it to the other one.
    expect(await written()).toBe(count + 1)
    const [flag] = await running.sql`select cancelling from offers.offers where id = ${offer.id}`
    expect(flag).toEqual({ cancelling: null })
    running.clock.offsetMs = 0
  })

  test('removes events of the checkout provider after a month', async () => {
    const offer = await running.newOffer({})
    const { body } = await running.order(offer.short_hash, newCustomer())
    await running.sql`
      insert into offers.checkout_events (id, order_id, received_at)
      values ('evt_old', ${body.id}, now() - interval '31 days'), ('evt_new', ${body.id}, now() - interval '29 days')`
    await running.sweep()
    const left = await running.sql`select id from offers.checkout_events where order_id = ${body.id}`
    expect(left.map(({ id }) => id)).toEqual(['evt_new'])
  })
})
