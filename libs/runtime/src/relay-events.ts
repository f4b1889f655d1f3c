/** Publishes what is in the outbox: each event at least once, those of one aggregate in their order. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from '@svc/telemetry/metrics'
import { untraced } from '@svc/telemetry/tracing'
import type { Sql } from './database.ts'
import type { Log } from './log.ts'
import { batchSize, leaseSeconds, leaveEvents, type OutboxEvent, oldestAge, takeEvents } from './outbox.ts'
import { createFloor } from './outbox-floor.ts'

/**
 * Resolves when the stream has the event, or has `refused` it for its own sake, so that others may pass.
 * Rejects where no event can be published now, or it is not known whether this one was.
 */
export type PublishEvent = (event: OutboxEvent) => Promise<'stored' | 'refused'>

export interface Relay {
  /** There is something to publish. */
  wake(): void
  /** Finishes what is being published, and takes no more: another replica does, or the next start. */
  stop(): Promise<void>
}

export interface RelayOptions {
  readonly sql: () => Sql
  readonly publish: PublishEvent
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly metrics?: Metrics
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

const lookEveryMs = 1000
/** What comes within this time of the first is taken with it. */
const gatherMs = 10
/** The pause before more is taken: to look costs as much as fifty events do, so many share it. */
const shareMs = 100
/** The pause before another look where another replica publishes: it may have looked before this event was there. */
const busyMs = 250
/** Where nothing can be published nobody's wake is heeded for so long. */
const restMs = 500

/** Looks every second, and when it is woken; whichever replica comes first publishes for all of them. */
export function startRelay({
  sql,
  publish,
  log,
  metrics,
  now = () => performance.now(),
}: RelayOptions): Relay {
  const holder = randomUUID()
  /** In the stream, and perhaps still in the outbox. */
  let done: number[] = []
  const floor = createFloor(now)
  let again = false
  let stopping = false
  let failing = false
  let published = 0
  /** Another relay publishes, and knows where the outbox begins. */
  let elsewhere = false
  let restUntil = 0
  let running: Promise<void> | undefined
  const timer = setInterval(wake, lookEveryMs)
  timer.unref()
  metrics?.read('svc_outbox_published_total', {}, () => published)
  metrics?.read('svc_outbox_oldest_seconds', {}, () =>
    elsewhere ? 0 : oldestAge(sql(), { done, floor: floor.value }),
  )
  return {
    wake,
    async stop() {
      stopping = true
      clearInterval(timer)
      await running
    },
  }

  function wake() {
    again = true
    if (stopping || now() < restUntil) return
    running ??= untraced(relayAll).finally(() => {
      running = undefined
    })
  }

  async function relayAll() {
    try {
      while (again && !stopping) {
        again = false
        await delay(gatherMs)
        while (await relaySome()) {}
      }
    } catch (err) {
      elsewhere = false
      restUntil = now() + restMs
      if (!failing) log.warn({ err }, 'events wait: they cannot be published now')
      failing = true
    }
  }

  /** Whether there may be more. */
  async function relaySome(): Promise<boolean> {
    await floor.raise(sql())
    const leasedUntil = now() + leaseSeconds * 1000
    const removing = done
    const { busy, leased, events } = await takeEvents(sql(), { holder, done: removing, floor: floor.value })
    elsewhere = busy
    done = done.filter(sequence => !removing.includes(sequence))
    if (!leased) {
      if (!busy && events.length === 0) return false
      await delay(busyMs)
      return !stopping
    }
    if (events.length === 0) return false
    const { stored, refused, fault } = await publishInOrder(events, leasedUntil)
    done = stored
    published += stored.length
    floor.taken(events[events.length - 1]?.sequence ?? 0)
    if (!fault && refused.length === 0 && events.length < batchSize && !stopping) await delay(shareMs)
    if (refused.length > 0 || fault || stopping) {
      await leaveEvents(sql(), { holder, done, refused })
      done = []
    }
    if (fault) throw fault
    if (failing) log.info({}, 'events are published again')
    failing = false
    return !stopping
  }

  /** Side by side, but one after the other within an aggregate: what follows a loss must not overtake it. */
  async function publishInOrder(events: readonly OutboxEvent[], leasedUntil: number) {
    const stored: number[] = []
    const refused: number[] = []
    let fault: unknown
    const publishEach = async (head: OutboxEvent, followers: readonly OutboxEvent[]) => {
      for (let event: OutboxEvent | undefined = head, at = 0; event; event = followers[at++]) {
        // A relay that was frozen must not go on where another one has taken over.
        if (fault || now() >= leasedUntil) return
        if ((await publish(event)) === 'refused') {
          const { id: event_id, sequence, subject } = event
          log.error({ event_id, sequence, subject }, 'the stream refuses an event')
          return void refused.push(sequence)
        }
        stored.push(event.sequence)
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
