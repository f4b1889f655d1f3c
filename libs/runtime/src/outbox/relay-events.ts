/** Publishes the outbox: each event at least once, those of one aggregate in order. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from '@svc/telemetry/metrics'
import type { Sql } from '../database.ts'
import type { Log } from '../log.ts'
import { createCompaction } from './compact-taken.ts'
import { batchSize, leaseSeconds, leaveEvents, type OutboxEvent, takeEvents } from './outbox.ts'
import { oldestAge, type OutboxKey } from './outbox-readers.ts'
import { type WorkLoop, startWorkLoop } from '../work-loop.ts'

/**
 * Resolves when the stream has the event, or has `refused` it for its own sake, so that others may pass.
 * Rejects where no event can be published now, or it is not known whether this one was.
 */
export type PublishEvent = (event: OutboxEvent) => Promise<'stored' | 'refused'>

export interface RelayOptions {
  readonly sql: () => Sql
  readonly publish: PublishEvent
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly metrics?: Metrics
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/** What comes within this time of the first is taken with it. */
const gatherMs = 10
/** The pause before reading more: a read costs as much as fifty events, so let many share it. */
const shareMs = 100
/** The pause before retrying while another replica publishes: it may have read before this event existed. */
const busyMs = 250

/** Checks every second and when woken; the first replica publishes for all of them. */
export function startRelay({
  sql,
  publish,
  log,
  metrics,
  now = () => performance.now(),
}: RelayOptions): WorkLoop {
  const holder = randomUUID()
  /** In the stream, which is perhaps not noted yet. */
  let done: readonly OutboxKey[] = []
  const compaction = createCompaction('stream', now)
  let failing = false
  let published = 0
  /** Another relay publishes, and knows what is in the stream already. */
  let elsewhere = false
  metrics?.read('svc_outbox_published_total', {}, () => published)
  metrics?.read('svc_outbox_oldest_seconds', {}, () => (elsewhere ? 0 : oldestAge(sql(), 'stream', done)))
  let stopping = false
  const loop = startWorkLoop({
    name: 'relay_events',
    work: relayAll,
    everyMs: 1000,
    log,
    metrics,
    now,
    onError(error) {
      elsewhere = false
      if (!failing) log.warn({ err: error }, 'cannot publish events, they wait in the outbox')
      failing = true
    },
  })
  return {
    wake: loop.wake,
    stop() {
      stopping = true
      return loop.stop()
    },
  }

  async function relayAll(): Promise<boolean> {
    await delay(gatherMs)
    while (await relaySome()) {}
    return false
  }

  /** Whether there may be more. */
  async function relaySome(): Promise<boolean> {
    const leasedUntil = now() + leaseSeconds * 1000
    const { busy, leased, events, gaps } = await takeEvents(sql(), { holder, done })
    elsewhere = busy
    done = []
    if (gaps > 1 && !busy) await compaction.close(sql())
    if (!leased) {
      if (!busy && events.length === 0) return false
      await delay(busyMs)
      return !stopping
    }
    if (events.length === 0) return false
    const { stored, refused, fault } = await publishInOrder(events, leasedUntil)
    done = stored
    published += stored.length
    if (!fault && refused.length === 0 && events.length < batchSize && !stopping) await delay(shareMs)
    if (refused.length > 0 || fault || stopping) {
      await leaveEvents(sql(), { holder, done, refused })
      done = []
    }
    if (fault) throw fault
    if (failing) log.info({}, 'publishing events again')
    failing = false
    return !stopping
  }

  /** Side by side, but one after the other within an aggregate: what follows a loss must not overtake it. */
  async function publishInOrder(events: readonly OutboxEvent[], leasedUntil: number) {
    const stored: OutboxKey[] = []
    const refused: number[] = []
    let fault: unknown
    const publishEach = async (head: OutboxEvent, followers: readonly OutboxEvent[]) => {
      for (let event: OutboxEvent | undefined = head, at = 0; event; event = followers[at++]) {
        // A relay that was frozen must not continue after another one took over.
        if (fault || now() >= leasedUntil) return
        if ((await publish(event)) === 'refused') {
          const { id: event_id, sequence, subject } = event
          log.error({ event_id, sequence, subject }, 'event refused by the stream')
          return void refused.push(sequence)
        }
        stored.push(event)
      }
    }
    const { heads, followers } = byAggregate(events)
    await Promise.all(
      heads.map(head =>
        publishEach(head, followers.get(head.aggregate_id) ?? none).catch(error => {
          fault ??= error
        }),
      ),
    )
    return { stored, refused, fault }
  }
}

const none: readonly OutboxEvent[] = []

/** The first event of each aggregate, which mostly is the only one, and what follows it there. */
function byAggregate(events: readonly OutboxEvent[]) {
  const heads: OutboxEvent[] = []
  const followers = new Map<string, OutboxEvent[] | undefined>()
  for (const event of events) {
    const { aggregate_id } = event
    if (!followers.has(aggregate_id)) {
      heads.push(event)
      followers.set(aggregate_id, undefined)
    } else {
      const others = followers.get(aggregate_id)
      if (others) others.push(event)
      else followers.set(aggregate_id, [event])
    }
  }
  return { heads, followers }
}
