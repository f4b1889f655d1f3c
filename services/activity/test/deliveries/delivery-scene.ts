/** The service's deliveries on a real database, with a clock that the test moves, and events that it keeps. */
import { openPool } from '@svc/testing/open-pool'
import { waitUntil } from '@svc/local/wait-until'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import { createSender, type Sender, type SenderOptions } from '@svc/outbound/sender'
import type { Sql } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import type { Log } from '@svc/runtime/log'
import { shareTestDatabase } from '@svc/testing/database'
import { testSeal } from '@svc/testing/seal'
import { type Receiver, startReceiver as start } from '@svc/testing/webhook-receiver'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { type DeliverOptions, startDelivering } from '../../src/deliveries/deliver-webhooks.ts'
import type { Deps } from '../../src/deps.ts'
import { createWebhookEndpoint } from '../../src/endpoints/create-webhook-endpoint.ts'
import { keepEvents } from '../../src/keeping/keep-events.ts'
import { ensurePartitions } from '../../src/keeping/partitions.ts'
import { newEvent } from '../new-event.ts'

let opened: ReturnType<typeof openPool>
export let admin: postgres.Sql
/** Seconds that the clock is ahead. */
let ahead = 0
let stoppedAt: number | undefined
export const now = () => (stoppedAt ?? Date.now()) + ahead * 1000
export const moveClock = (seconds: number) => {
  ahead += seconds
}
/** Until the end of the test the clock moves by `moveClock` alone. */
export const stopClock = () => {
  stoppedAt = Date.now()
}

export const by = {
  actor: JSON.stringify({ kind: 'user', id: 'user_1', name: null, credential_id: null, workspace_id: null }),
  request_id: null,
  address: null,
}
/** Where the test's own receivers are, if not on loopback by its address. */
export const ports: number[] = []
const targets = { allowLoopback: true, ports }
export const deps = (): Deps =>
  ({
    sql: sql(),
    now,
    seal: testSeal,
    targets,
    eventWritten() {},
    deliveryAdded() {},
    call: { by },
  }) as unknown as Deps
/** Each statement has its own deadline. */
export const sql = (): Sql => opened.sql

export function useDeliveries() {
  beforeAll(async () => {
    const database = await shareTestDatabase()
    opened = openPool(database.urls.activity, 8, 1000)
    admin = postgres(database.urls.activity, { max: 2, onnotice: () => {} })
    // Not of the clock: another file may have moved it.
    await ensurePartitions(sql, [Date.now()])
  })
  afterAll(async () => {
    await admin`truncate webhook_endpoints, webhook_deliveries, deleted_webhook_endpoints`
    await opened.close()
    await admin.end({ timeout: 1 })
  })
  beforeEach(() => {
    ahead = 0
    stoppedAt = undefined
    faults = []
  })
}

export const inWorkspace = (workspace: string, user = 'user_1') =>
  ({ kind: 'session', id: 'sess_1', user, workspace, role: 'owner' }) as const

export async function newEndpoint(
  url: string,
  {
    workspace = newId('ws'),
    event_types = ['orders.*'],
    user,
  }: { workspace?: string; event_types?: string[]; user?: string } = {},
) {
  const input = {
    body: { url, event_types },
    params: undefined,
    query: undefined,
    headers: {},
  } as never
  const { body } = await createWebhookEndpoint(input, inWorkspace(workspace, user), deps())
  return { ...body, workspace }
}

/** Events of these aggregates, in this order. */
export async function happen(
  workspace: string,
  aggregates: readonly string[],
  type = 'orders.created',
): Promise<ReadEvent[]> {
  const data = JSON.stringify({
    workspace_id: workspace,
    customer_workspace_id: workspace,
    offer_id: 'offer_1',
  })
  const events = aggregates.map(aggregate_id => newEvent({ type, aggregate_id, data, actor: by.actor }))
  for (let from = 0; from < events.length; from += 500)
    await keepEvents(sql(), events.slice(from, from + 500))
  return events
}

export async function startReceiver(answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await start(answer)
  onTestFinished(receiver.stop)
  return receiver
}

/** What replicas complain of. */
let faults: unknown[] = []
const silent = { info() {} }
const fault = ({ err }: { err: unknown }) => void faults.push(err)

/** They fail a test that waits. */
export const faultsOf = () => faults

interface ReplicaOptions extends Pick<DeliverOptions, 'slots' | 'turnMs'> {
  readonly sender?: Partial<SenderOptions>
  /** Between the replica and its sender. */
  readonly around?: (send: Sender['send']) => Sender['send']
  /** Between the replica and the database. */
  readonly database?: () => Sql
}

/** One replica. */
export function startReplica({
  sender: senderOptions,
  around = send => send,
  database: between = sql,
  ...options
}: ReplicaOptions = {}) {
  const sender = createSender({ ...targets, ...senderOptions })
  const written: number[] = []
  const replica = startDelivering({
    ...options,
    sql: between,
    now,
    seal: testSeal,
    sender: { send: around(sender.send) },
    eventWritten: () => void written.push(1),
    log: { ...silent, warn: fault, error: fault } as unknown as Log,
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= replica.stop().then(() => sender.close())
    return stopped
  }
  onTestFinished(stop)
  return { wake: replica.wake, stop, written }
}

/** Waits for `done` while the replica looks all the time. */
export const eventually = (
  replica: { wake(): void },
  what: string,
  done: () => boolean | Promise<boolean>,
): Promise<void> =>
  waitUntil(what, giveUp => {
    if (faults[0]) giveUp(faults[0] as Error)
    replica.wake()
    return done()
  })

export const endpointRow = async (id: string) => {
  const [row] = await admin`select * from webhook_endpoints where id = ${id}`
  if (!row) throw new Error(`there is no endpoint ${id}`)
  return row
}

/** Until all that happened was looked at, and nothing is to be sent to it now. */
export const atRest = (replica: { wake(): void }, id: string) =>
  eventually(replica, 'nothing to send', async () => {
    const [row] = await admin`
      select not w.woken and w.held_until <= now() and w.due_at > to_timestamp(${now() / 1000}) and s.position = p.position as rests
      from webhook_endpoints w, webhook_wakes s, last_position p where w.id = ${id}`
    return row?.rests === true
  })
