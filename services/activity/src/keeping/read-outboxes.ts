/** Reads the outboxes of the services that publish events, and keeps what they have: nothing is missed, nothing is kept twice. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallBus } from '@svc/bus/call'
import type { Bus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { publishers, type Publisher } from '@svc/contract/publishers'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import type { Sql } from '@svc/runtime/database'
import type { Log } from '@svc/runtime/log'
import type { ReadEvents } from '@svc/runtime/outbox/read-events'
import { type WorkLoop, startWorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { keepBatch } from './keep-batch.ts'
import { ensurePartitions } from './partitions.ts'
import { holdSource, leaseMs, leaveSource } from './sources.ts'

export interface ReaderOptions {
  readonly bus: Bus
  readonly call: CallBus
  /** The outbox of this service. */
  readonly readOwn: ReadEvents
  readonly sql: () => Sql
  readonly log: Log
  readonly metrics?: Metrics
}

const batchSize = 500
/** The stream tells of an event just before the next ones, which are read with it. */
const gatherMs = 10
/** The pause before reading more: let many events share a read. */
const shareMs = 100
/** How long a replica that does not read leaves the lease alone, however often it is woken. */
const elsewhereMs = 500

/** One loop for each service that publishes events; they are woken by the stream, and look once a second besides. */
export function startReaders(options: ReaderOptions): { stop(): Promise<void> } {
  const { bus, log } = options
  const holder = randomUUID()
  const loops = new Map(publishers.map(source => [source.name, startReader(source, holder, options)]))
  const loopsOf = (kind: string) =>
    publishers.filter(({ kinds }) => kinds.includes(kind)).map(({ name }) => loops.get(name))
  const byKind = new Map(publishers.flatMap(({ kinds }) => kinds.map(kind => [kind, loopsOf(kind)])))
  const heard = bus.nc.subscribe('events.>', {
    callback: (error, { subject }) => {
      if (error) log.error({ err: error }, 'event subscription failed')
      else for (const loop of byKind.get(subject.split('.')[1] ?? '') ?? []) loop?.wake()
    },
  })
  return {
    async stop() {
      heard.unsubscribe()
      await Promise.all([...loops.values()].map(loop => loop.stop()))
    },
  }
}

function startReader(
  { name, service }: Publisher,
  holder: string,
  { call, readOwn, sql, log, metrics }: ReaderOptions,
): WorkLoop {
  const kept = metrics?.counter('svc_activity_events_total', { source: name })
  kept?.(0)
  /** By `performance.now()`; 0: another replica reads, or nobody does. */
  let heldUntil = 0
  let elsewhereUntil = 0
  /** Fewer after a failure: they may be too much work for one statement. */
  let limit = batchSize
  let stopping = false
  const loop = startWorkLoop({ name: `read_${name.replaceAll('-', '_')}`, work, everyMs: 1000, log, metrics })
  return {
    wake: loop.wake,
    async stop() {
      stopping = true
      await loop.stop()
      if (heldUntil > 0) await leaveSource(sql(), name, holder).catch(() => {})
    },
  }

  async function work(): Promise<boolean> {
    await delay(gatherMs)
    // Said in the next call only: after a failure it is not known any more whether the database still has them.
    let taken: readonly ReadEvent[] = []
    do {
      if (!(await hold())) return false
      const { events, more } = await readMore(taken)
      taken = events
      if (events.length > 0 && !more && !stopping) await delay(shareMs)
    } while (taken.length > 0)
    return false
  }

  /** Whether this replica is the one that reads. */
  async function hold(): Promise<boolean> {
    const at = performance.now()
    if (at < heldUntil - leaseMs / 2) return true
    if (at < elsewhereUntil) return false
    heldUntil = (await holdSource(sql(), name, holder)) ? at + leaseMs : 0
    if (heldUntil === 0) elsewhereUntil = at + elsewhereMs
    return heldUntil > 0
  }

  async function readMore(taken: readonly ReadEvent[]) {
    try {
      const answer = await read(taken)
      await keep(answer.events)
      limit = Math.min(batchSize, limit + batchSize / 20)
      return answer
    } catch (error) {
      limit = Math.ceil(limit / 2)
      // One of the months may be gone.
      knownMonths.clear()
      throw error
    }
  }

  function read(taken: readonly ReadEvent[]) {
    const body = { taken: taken.map(({ sequence, uuid }) => ({ sequence, uuid })), limit }
    if (name === 'activity') return readOwn(sql(), body)
    return invoke(call, service, 'read_events', { caller: { kind: 'internal', id: 'activity' }, body })
  }

  async function keep(events: readonly ReadEvent[]) {
    if (events.length === 0) return
    await ensureMonths(events)
    const count = await keepBatch(sql, events, log)
    kept?.(count)
  }

  /** Those to come were made ahead of time. An event may have waited since an earlier one. */
  async function ensureMonths(events: readonly ReadEvent[]) {
    const months = events.map(({ created_ms }) => new Date(created_ms).toISOString().slice(0, 7))
    const missing = events.filter((_, at) => !knownMonths.has(months[at] ?? ''))
    if (missing.length === 0) return
    await ensurePartitions(
      sql,
      missing.map(({ created_ms }) => created_ms),
    )
    for (const month of months) knownMonths.add(month)
  }
}

/** Months whose partition exists, as far as this process knows. */
const knownMonths = new Set<string>()
