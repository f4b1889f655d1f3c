/** A server that says that it will close (lame duck) is left before it does, with nothing under way. */
import { setTimeout as delay } from 'node:timers/promises'
import type { NatsConnection } from 'nats'
import { defaultBudgetMs } from './wire.ts'

/**
 * What has to be done before a server may be left, such as to finish what is under way. `arrived` is aborted when the
 * connection is one to another server, or is lost: then nothing of the step may go on.
 */
export type BeforeLeaving = (arrived: AbortSignal) => Promise<void>

/**
 * How long calls and events under way are waited for, and how long a service is in no queue group: less than callers
 * repeat a call that nobody takes, as all its replicas may be at this server.
 */
const finishMs = 1500
/** Longer than the longest pause of a caller that repeats. */
const presentMs = 300
const lookEveryMs = 5
const flushMs = 250

/**
 * The steps of a service that also calls and publishes events, one after the other. Servers send nobody away for longer:
 * `lame_duck_grace_period` in deploy/kubernetes/overlays/production/cluster.conf.
 */
export const leaveAtMostMs = defaultBudgetMs + finishMs + finishMs + finishMs + flushMs

/**
 * Takes the steps, the last one first: what was built later stands on the earlier. Then the connection is made anew.
 *
 * @param onClose from here on nothing new may be sent
 */
export async function leaveServer(
  nc: NatsConnection,
  steps: readonly BeforeLeaving[],
  arrived: AbortSignal,
  onClose: () => void,
): Promise<void> {
  const inTurn = async () => {
    for (const step of steps.toReversed()) if (!arrived.aborted) await step(arrived)
  }
  // A step fails where the connection is lost, which may not have been told yet.
  await Promise.race([inTurn().catch(() => arrival(arrived)), arrival(arrived)])
  // The server was faster, or is dead: the client library has made the connection anew, or is about to.
  if (arrived.aborted) return
  onClose()
  // What was said last is in the library's buffer, which a new connection begins empty.
  const flushed = nc.flush().catch(() => {})
  await Promise.race([flushed, delay(flushMs), arrival(arrived)])
  if (!arrived.aborted) await nc.reconnect()
}

/** Resolves when the signal is aborted. */
export function arrival(arrived: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (arrived.aborted) resolve()
    else arrived.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Resolves when `count` is 0, when it has been waited for long enough, or when the connection is another one. */
export async function untilNone(
  count: () => number,
  arrived: AbortSignal,
  forMs: number = finishMs,
): Promise<void> {
  const until = performance.now() + forMs
  while (count() > 0 && !arrived.aborted && performance.now() < until) await delay(lookEveryMs)
}

/**
 * Has what is new wait while the connection moves to another server, and what is under way, `count` of it, finish first.
 *
 * @returns what to wait for; undefined while nothing moves
 */
export function holdWhileMoving(
  bus: { onLeave(step: BeforeLeaving): void },
  count: () => number,
): () => Promise<void> | undefined {
  let held: Promise<void> | undefined
  bus.onLeave(arrived => {
    const own = arrival(arrived).then(() => {
      if (held === own) held = undefined
    })
    held = own
    return untilNone(count, arrived)
  })
  return () => held
}

/**
 * Leaves the queue groups and finishes the calls that were given to this service: all whose budget is the usual one.
 * Where some take long it comes back in between, as every other replica may be at this server, and as slow.
 */
export async function finishServing(
  nc: NatsConnection,
  inFlight: () => number,
  arrived: AbortSignal,
): Promise<void> {
  const until = performance.now() + defaultBudgetMs
  for (;;) {
    await leaveQueueGroups(nc)
    await untilNone(inFlight, arrived)
    if (inFlight() === 0 || arrived.aborted || performance.now() >= until) return
    joinQueueGroups(nc)
    await delay(presentMs)
    if (arrived.aborted) return
  }
}

interface Subscription {
  readonly queue?: string
  isDraining(): boolean
}

interface Subscribing {
  readonly subscriptions: { all(): Subscription[] }
  _sub(subscription: Subscription): void
  unsub(subscription: Subscription): void
}

const subscribing = (nc: NatsConnection) => (nc as unknown as { protocol: Subscribing }).protocol

/**
 * The server gives the calls of a queue group to others from now on; those that it has given already are here when this
 * resolves. The subscriptions stay in the client library, which makes them again at the next server.
 */
async function leaveQueueGroups(nc: NatsConnection): Promise<void> {
  const protocol = subscribing(nc)
  for (const subscription of protocol.subscriptions.all()) {
    if (subscription.queue) protocol.unsub(subscription)
  }
  await nc.flush()
}

function joinQueueGroups(nc: NatsConnection): void {
  const protocol = subscribing(nc)
  for (const subscription of protocol.subscriptions.all()) {
    if (subscription.queue && !subscription.isDraining()) protocol._sub(subscription)
  }
}
