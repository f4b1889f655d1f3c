/** What one operation of the product sends: its answer, its two messages on the bus, and its statement. */
import { setTimeout as delay } from 'node:timers/promises'
import { connectBus } from '@svc/bus/connection'
import { accessOf } from '@svc/testing/stack/nats-config'
import { subjectOf } from '@svc/contract/core/operation'
import type { Msg } from 'nats'
import type { BusMessage } from '../../load/limit/bus-message.ts'
import type { HttpAnswer } from '../../load/limit/http-echo-process.ts'
import { requestForm, type Seed } from '../../load/workloads.ts'
import type { Scene } from '../../scene.ts'
import type { Product } from '../product.ts'
import { statementIn, type SentStatement } from './statement-log.ts'

export interface Captured {
  readonly answer: HttpAnswer
  readonly request: BusMessage
  readonly reply: BusMessage
  readonly statement: SentStatement
}

interface CaptureWanted {
  readonly workload: 'product' | 'installs'
  /** The service is offers. */
  readonly operation: string
  /** The name in its comment. */
  readonly statement: string
}

/** Enough requests at once that some share a statement. */
const atOnce = 32
/** A log line of PostgreSQL, and a message to a subscriber, are here after this long. */
const arrivalMs = 500
/** What the HTTP server itself adds. */
const ownHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive'])

/** @param log PostgreSQL's lines, as they come */
export async function capture(
  { operation, statement, workload }: CaptureWanted,
  product: Product,
  { seed, servers: { sql } }: Pick<Scene, 'seed' | 'servers'>,
  log: string[],
): Promise<Captured> {
  const quiet = { info() {}, warn() {}, error() {} }
  const bus = await connectBus(accessOf(product.stack.bus)('tests'), quiet)
  const heard: Msg[] = []
  try {
    for (const subject of ['rpc.>', '_INBOX.>']) {
      bus.nc.subscribe(subject, { callback: (_, msg) => heard.push(msg) })
    }
    await bus.nc.flush()
    await sql`alter system set log_statement = 'all'`
    await sql`select pg_reload_conf()`
    await delay(arrivalMs)
    const urls = Array.from({ length: atOnce }, () => product.urls[0] ?? '')
    const [answer] = await Promise.all(urls.map(url => answerOf(url, workload, seed)))
    await delay(arrivalMs)
    const request = heard.find(({ subject }) => subject === subjectOf('offers', operation))
    const reply = heard.find(({ subject }) => subject === request?.reply)
    const sent = statementIn(log, statement)
    if (!answer || !request || !reply || !sent) throw new Error(`${operation} could not be captured.`)
    return { answer, request: messageOf(request), reply: messageOf(reply), statement: sent }
  } finally {
    await sql`alter system reset log_statement`
    await sql`select pg_reload_conf()`
    await bus.close()
  }
}

async function answerOf(url: string, kind: 'product' | 'installs', seed: Seed): Promise<HttpAnswer> {
  const { method, path, body, key, status } = requestForm(kind, seed)
  const response = await fetch(`${url}${path}`, {
    method,
    body,
    headers: {
      authorization: `Bearer ${seed.token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': crypto.randomUUID() }),
    },
  })
  if (response.status !== status) throw new Error(`${kind} was answered ${response.status}.`)
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name)))
  return { status, headers, body: await response.text() }
}

const messageOf = ({ headers, data }: Msg): BusMessage => ({
  headers: Object.fromEntries([...(headers ?? [])].map(([name, [value]]) => [name, value ?? ''])),
  body: Buffer.from(data).toString(),
})
