// The service in the test's process: two replicas on a bus and a database of their own, with a clock that tests move.
import { testSeal } from '@svc/testing/seal'
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { serve } from '@svc/bus/serve'
import { header } from '@svc/bus/wire'
import type { Caller, ScopedCaller } from '@svc/contract/core/caller'
import { type ChannelPolicy, offers } from '@svc/contract/offers/offers'
import { type Operation, subjectOf } from '@svc/contract/core/operation'
import { openDatabase } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import { createTestDatabase } from '@svc/testing/database'
import { startTestNats } from '@svc/testing/stack/nats'
import { shareInWorker } from '@svc/testing/share-in-worker'
import { unhurried } from '@svc/testing/size'
import postgres from 'postgres'
import { createDeps } from '../src/deps.ts'
import { handlers } from '../src/handlers.ts'
import { sweepOrders } from '../src/orders/sweep-orders.ts'
import { catalogue, overBus } from './catalogue.ts'
import { sharedSchemas } from './input-schema/shared-schemas.ts'

export type Running = ReturnType<typeof sceneOf>

export interface Answer {
  readonly status: number
  readonly replayed: boolean
  // Any answer: the tests compare it with literals.
  readonly body: Record<string, unknown> & {
    id: string
    state: string
    data: Record<string, unknown>[]
    errors?: { code: number; path?: string[]; message: string; metadata?: Record<string, string> }[]
  }
}

export interface Ask {
  readonly body?: unknown
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
}

const silent = { info() {}, warn() {}, error() {} }

/** Terms of an offer: approval and checkout. */
export type Way = 'direct' | 'approval' | 'checkout' | 'both'

type Processes = Awaited<ReturnType<typeof startProcesses>>

export const runOffers = async (): Promise<Running> => sceneOf(await startProcesses())

const sharedProcesses = shareInWorker(startProcesses)

/**
 * Uses the replicas that the files of a worker share, with a seller of its own: for files that do not depend on other rows
 * of the tables.
 */
export async function shareOffers(): Promise<Running> {
  const processes = await sharedProcesses()
  processes.clock.offsetMs = 0
  return sceneOf(processes)
}

async function startProcesses() {
  const [nats, test] = await Promise.all([startTestNats({ streams: false }), createTestDatabase()])
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs }
  const config = {
    DATABASE_URL: test.urls.offers,
    DATABASE_POOL_SIZE: 4,
    DATABASE_QUEUE_LIMIT: 512,
  }
  const startReplica = async (replica: number) => {
    const database = openDatabase(config)
    const bus = await connectBus(nats.user('offers'), silent)
    const schemas = sharedSchemas(replica)
    const deps = createDeps({
      database,
      now: clock.now,
      schemas,
      seal: testSeal,
      publicUrl: 'http://localhost:8080',
      callBus: createCall(bus),
    })
    const served = await serve(bus, offers, { handlers, deps, log: silent })
    const stop = async () => {
      await served.drain()
      await database.close()
    }
    return { stop, database }
  }
  const replicas = [await startReplica(0), await startReplica(1)]
  const bus = await connectBus(nats.user('tests'), silent)
  const sql = postgres(test.adminUrl, { max: 4, onnotice: () => {} })
  const stop = async () => {
    await Promise.all(replicas.map(({ stop }) => stop()))
    await bus.close()
    await sql.end({ timeout: 1 })
    await nats.stop()
    await test.drop()
  }
  return { clock, replicas, call: createCall(bus), sql, databaseUrl: test.urls.offers, stop }
}

function sceneOf({ clock, replicas, call, sql, databaseUrl, stop }: Processes) {
  const seller = newId('ws')
  const made = catalogue(overBus(call, seller))

  async function ask(
    operation: keyof typeof offers.operations,
    caller: Caller,
    { body, params = {}, query = {}, headers = {} }: Ask = {},
  ): Promise<Answer> {
    const answer = await call({
      subject: subjectOf('offers', operation),
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
      headers: {
        [header.caller]: JSON.stringify(caller),
        [header.params]: String(new URLSearchParams(params)),
        [header.query]: String(new URLSearchParams(query)),
        ...headers,
      },
      deadline: unhurried(),
      safe: (offers.operations[operation] as Operation).safe ?? false,
    })
    const text = new TextDecoder().decode(answer.body)
    return {
      status: answer.status,
      replayed: answer.header('Idempotent-Replayed') === 'true',
      body: text === '' ? {} : JSON.parse(text),
    }
  }
  const internal: ScopedCaller = { kind: 'internal', id: 'seller', workspace: seller }
  const step = (
    operation: keyof typeof offers.operations,
    id: string,
    caller: Caller = internal,
    body?: object,
  ) => ask(operation, caller, { params: { id }, body })

  return {
    ask,
    sql,
    clock,
    seller,
    internal,
    catalogue: made,
    replicas,
    databaseUrl,
    stop,
    /** Moves the clock on by so many minutes. */
    pass: (minutes: number) => {
      clock.offsetMs += minutes * 60_000
    },
    async newOffer({
      way = 'direct' as Way,
      schema = plainSchema as object,
      ...rest
    }: { way?: Way; schema?: object } & Record<string, unknown> = {}) {
      const package_id = await made.package()
      const product_id = await made.product(package_id, await made.version(package_id, schema))
      const offer_channel_id = way === 'direct' ? undefined : await made.channel(product_id, policyOf(way))
      const pricing =
        way === 'direct' ? {} : { pricing_request: { currency: 'eur', unit_amount: 100, interval: 'month' } }
      const offer = await invoke(call, offers, 'create_offer', {
        caller: internal,
        body: { product_id, ...(offer_channel_id && { offer_channel_id }), ...pricing, ...rest } as never,
        deadline: unhurried(),
      })
      return { ...offer, product_id, package_id }
    },
    order: (short_hash: string, caller: Caller) => ask('create_order', caller, { params: { short_hash } }),
    submit: (id: string, caller: Caller, body: object = {}) => step('submit_order', id, caller, body),
    cancel: (id: string, caller: Caller) => step('cancel_order', id, caller),
    approve: (id: string) => step('approve_order', id),
    reject: (id: string, body: object = {}) => step('reject_order', id, internal, body),
    pay: (id: string) => step('confirm_payment', id),
    revoke: (id: string) => step('revoke_offer', id),
    getOrder: (id: string, caller: Caller = internal) => step('get_order', id, caller),
    getOffer: (id: string) => step('get_offer', id),
    correct: (id: string, etag: unknown, body: object) =>
      ask('update_offer', internal, { params: { id }, headers: { 'if-match': String(etag) }, body }),
    sweep: (replica = 0) =>
      sweepOrders(() => (replicas[replica] as (typeof replicas)[number]).database.sql, clock.now()),
    /** Types of its events that are not published yet, in order. */
    async eventTypes(aggregate: string) {
      const rows = await sql<{ subject: string }[]>`
        select subject from offers.outbox where aggregate_id = ${aggregate} order by sequence`
      return rows.map(({ subject }) => subject.replace('events.', ''))
    },
    async seats(offer: string) {
      const [row] = await sql<
        { redeemed: number; held: number; installs: number; max_uses: number | null }[]
      >`
        select coalesce(redeemed, 0) as redeemed, max_uses,
          (select count(*)::int from offers.installs i where i.offer_id = f.id) as installs,
          (select count(*)::int from offers.orders o
            where o.offer_id = f.id and o.state in ('open', 'awaiting_approval', 'awaiting_checkout')) as held
        from offers.offers f where id = ${offer}`
      if (!row) throw new Error(`no offer ${offer}`)
      return row
    },
  }
}

/** A customer in a workspace of their own. */
export function newCustomer(email?: string): Caller & { user: string; workspace: string } {
  const [workspace, user] = [newId('ws'), newId('user')]
  return { kind: 'session', id: newId('sess'), user, workspace, role: 'member', ...(email && { email }) }
}

export const plainSchema = { type: 'object', properties: { note: { type: 'string' } } }

const policyOf = (way: Way): ChannelPolicy => ({
  approval: way === 'approval' || way === 'both' ? 'manual' : 'automatic',
  checkout: way === 'checkout' || way === 'both' ? 'required' : 'none',
  support: null,
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  grace_days: 7,
  pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 100 },
  allow_non_billable_test: true,
  default_commercial_mode: 'paid',
})

export const codeOf = ({ status, body }: Answer) => [status, ...(body.errors ?? []).map(({ code }) => code)]
