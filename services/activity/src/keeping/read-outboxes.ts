/** Reads the outboxes of all services that publish events, and stores each event exactly once. */
import { setTimeout as delay } from 'node:timers/promises'
import type { CallBus } from '@svc/bus/call'
import type { Bus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { awaitNotices, sendNotice } from '@svc/bus/notices'
import { eventsKept, eventsWritten } from '@svc/contract/notices'
import { publishers, type Publisher } from '@svc/contract/publishers'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import type { Sql } from '@svc/runtime/database'
import type { Log } from '@svc/runtime/log'
import type { ReadEvents } from '@svc/runtime/outbox/read-events'
import { type WorkLoop, startWorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { keepBatch } from './keep-batch.ts'
import { ensurePartitions } from './partitions.ts'
import { createLease } from './sources.ts'

export interface ReaderOptions {
  readonly bus: Bus
  readonly call: CallBus
  readonly readOwn: ReadEvents
  readonly sql: () => Sql
  readonly log: Log
  readonly metrics?: Metrics
}

const batchSize = 500
/** The shortest interval between two reads, so that many events share one. */
const shareMs = 80

/** One loop for each service with events, woken by its notices and once a second. */
export function startReaders(options: ReaderOptions): { stop(): Promise<void> } {
  const readers = publishers.map(source => {
    const loop = startReader(source, options)
    const deafen = awaitNotices(options.bus, eventsWritten(source.name), options.log, loop.wake)
    return { deafen, loop }
  })
  return {
    async stop() {
      for (const { deafen } of readers) deafen()
      await Promise.all(readers.map(({ loop }) => loop.stop()))
    },
  }
}

function startReader(
  { name, service }: Publisher,
  { bus, call, readOwn, sql, log, metrics }: ReaderOptions,
): WorkLoop {
  const kept = metrics?.counter('svc_activity_events_total', { source: name })
  kept?.(0)
  const lease = createLease(sql, name)
  /** Smaller after a failure: the batch may have been too much work for one statement. */
  let limit = batchSize
  let stopping = false
  const loop = startWorkLoop({ name: `read_${name.replaceAll('-', '_')}`, work, everyMs: 1000, log, metrics })
  return {
    wake: loop.wake,
    async stop() {
      stopping = true
      await loop.stop()
      await lease.leave()
    },
  }

  async function work(): Promise<boolean> {
    // Sent in the next call only: after a failure it is unknown whether the database still has them.
    let taken: readonly ReadEvent[] = []
    do {
      if (!(await lease.hold())) return false
      const at = performance.now()
      const { events, more } = await readMore(taken)
      taken = events
      if (events.length > 0 && !more && !stopping) await delay(at + shareMs - performance.now())
    } while (taken.length > 0)
    return false
  }

  async function readMore(taken: readonly ReadEvent[]) {
    try {
      const answer = await read(taken)
      await keep(answer.events)
      limit = Math.min(batchSize, limit + batchSize / 20)
      return answer
    } catch (error) {
      limit = Math.ceil(limit / 2)
      // One of the months may have been dropped.
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
    if (count > 0) sendNotice(bus, eventsKept)
  }

  /** Future months were created ahead of time, but an event may be from an earlier one. */
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

const knownMonths = new Set<string>()
