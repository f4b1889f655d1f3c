// kill -9 of a replica in the middle of orders: each step is done completely, with its events, or not at all.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { scaled } from '@svc/contract/core/deadline-scale'
import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import { waitUntil } from '@svc/local/wait-until'
import { disorder, readEvents } from '@svc/testing/read-events'
import type { TestStack } from '@svc/testing/stack/stack'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue, overBus } from '../catalogue.ts'
import { scene } from '../checkout/checkout-scene.ts'
import { newCustomer } from '../running-offers.ts'
import { startAll } from './replicas.ts'

let running: TestStack
let gateway: Bus
let backoffice: Bus
let call: CallBus
const silent = { info() {}, warn() {}, error() {} }

beforeAll(async () => {
  running = scene.stack
  await startAll()
  gateway = await connectBus(running.stack.bus('tests'), silent)
  backoffice = await connectBus(running.stack.bus('backoffice'), silent)
  call = createCall(gateway)
})
afterAll(async () => {
  await gateway?.close()
  await backoffice?.close()
})

/** A killed replica does not answer, and the next attempt waits for this. */
const shortDeadline = () => Date.now() + scaled(2000)

const seller = () => {
  const caller = { kind: 'internal', id: 'test', workspace: running.dev.workspace_id } as const
  return { caller, deadline: shortDeadline() }
}

/** Retries until there is an answer; a call without one may still have been executed. */
async function retry<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status < 500) return undefined
      await delay(10)
    }
  }
}

async function newProduct() {
  const made = catalogue(overBus(createCall(backoffice), running.dev.workspace_id))
  const package_id = await made.package()
  return made.product(package_id, await made.version(package_id, { properties: {} }))
}

test('no step is half done', async () => {
  const { stack, sql } = running
  const product_id = await newProduct()
  let active = true
  const made: string[] = []
  /** Offers with more customers than seats; some customers cancel, and one offer in three is revoked meanwhile. */
  const worker = async () => {
    while (active) {
      const offer = await retry(() =>
        invoke(call, offers, 'create_offer', { ...seller(), body: { product_id, max_uses: 2 } }),
      )
      if (!offer) throw new Error('the offer was refused')
      made.push(offer.id)
      const customers = Array.from({ length: 5 }, async (_, n) => {
        const caller = newCustomer()
        const given = (params: Record<string, string>) => ({ caller, params, deadline: shortDeadline() })
        const { short_hash } = offer
        const order = await retry(() => invoke(call, offers, 'create_order', given({ short_hash })))
        if (!order) return
        const { id } = order
        await retry(() =>
          n % 4 === 3
            ? invoke(call, offers, 'cancel_order', given({ id }))
            : invoke(call, offers, 'submit_order', { ...given({ id }), body: {} }),
        )
      })
      if (made.length % 3 === 0) {
        await retry(() => invoke(call, offers, 'revoke_offer', { ...seller(), params: { id: offer.id } }))
      }
      await Promise.all(customers)
    }
  }
  const workers = Array.from({ length: 4 }, worker)
  try {
    for (let round = 0; round < 2; round++) {
      const victim = stack.processes.offers[(round + 1) % 2]
      const before = made.length
      await waitUntil('some work', () => made.length > before + 5)
      victim?.kill('SIGKILL')
      await waitUntil('it is dead', () => !victim?.running())
      await victim?.start()
    }
  } finally {
    active = false
    await Promise.all(workers)
  }

  const wrong = await sql`
    select f.id from offers.offers f
    cross join lateral (
      select count(*) filter (where state = 'completed') as completed,
        count(*) filter (where state in ('open', 'awaiting_approval', 'awaiting_checkout')) as held
      from offers.orders o where o.offer_id = f.id
    ) o
    cross join lateral (
      select count(*) as count from offers.installs i join offers.orders s on s.id = i.order_id and s.state = 'completed'
      where i.offer_id = f.id
    ) i
    where f.id = any (${made}) and (
      coalesce(f.redeemed, 0) <> o.completed or i.count <> o.completed or o.completed + o.held > f.max_uses
      or (f.revoked_at is not null and o.held > 0)
    )`
  expect(wrong).toEqual([])
  await waitUntil('an empty outbox, and a stream that has everything', async () => {
    const [row] = await sql`
      select not exists (select from offers.outbox) and not exists (
        select from activity.stream_position s join activity.events e on e.position > s.position
      ) as is_done`
    return row?.is_done
  })
  const events = await readEvents(backoffice)
  expect(disorder(events).late).toEqual([])
  const orders = await sql<{ id: string; state: string; install_id: string | null }[]>`
    select o.id, o.state, i.id as install_id from offers.orders o left join offers.installs i on i.order_id = o.id
    where o.offer_id = any (${made})`
  expect(orders.length).toBeGreaterThan(20)
  const types = new Map<string, Set<string>>()
  for (const { aggregate_id, type } of events)
    types.set(aggregate_id, (types.get(aggregate_id) ?? new Set()).add(type))
  const typesOf = (id: string | null) => [...(types.get(id ?? '') ?? [])]
  for (const { id, state, install_id } of orders) {
    expect(typesOf(id)).toEqual(['orders.created', ...(state === 'open' ? [] : [`orders.${state}`])])
    expect(typesOf(install_id)).toEqual(install_id ? ['installs.created'] : [])
  }
  expect(orders.filter(({ install_id }) => install_id).length).toBeGreaterThan(10)
})
