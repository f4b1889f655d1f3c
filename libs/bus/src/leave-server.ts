/** A server that says that it will close (lame duck) is left before it does, with nothing under way. */
import { setTimeout as delay } from 'node:timers/promises'
import type { NatsConnection } from 'nats'

/**
 * What has to be done before a server may be left, such as to finish what is under way. `arrived` resolves when the
 * connection is one to another server, or is lost.
 */
export type BeforeLeaving = (arrived: Promise<void>) => Promise<void>

/** Less than `lame_duck_grace_period` (deploy/kubernetes/overlays/production/cluster.conf), in which nobody is sent away. */
const finishMs = 1500
const lookEveryMs = 5
const no = () => false

/** Takes the steps, the last one first: what was built later stands on the earlier. Then the connection is made anew. */
export async function leaveServer(
  nc: NatsConnection,
  steps: readonly BeforeLeaving[],
  arrived: Promise<void>,
  onClose: () => void,
): Promise<void> {
  const inTurn = async () => {
    for (const step of steps.toReversed()) await step(arrived)
    await nc.flush()
  }
  const late = new AbortController()
  const gone = await Promise.race([
    inTurn().then(no, no),
    delay(finishMs, undefined, { signal: late.signal }).then(no, no),
    arrived.then(() => true),
  ])
  late.abort()
  // The server was faster, or is dead: the client library has made the connection anew, or is about to.
  if (gone) return
  onClose()
  await nc.reconnect()
}

interface Subscribing {
  readonly subscriptions: { all(): { queue?: string }[] }
  unsub(subscription: object): void
}

/**
 * The server gives the calls of a queue group to others from now on; those that it has given already are here when this
 * resolves. The subscriptions stay in the client library, which makes them again at the next server.
 */
export async function leaveQueueGroups(nc: NatsConnection): Promise<void> {
  const { protocol } = nc as unknown as { protocol: Subscribing }
  for (const subscription of protocol.subscriptions.all()) {
    if (subscription.queue) protocol.unsub(subscription)
  }
  await nc.flush()
}

/** Resolves when `count` is 0. */
export async function untilNone(count: () => number): Promise<void> {
  while (count() > 0) await delay(lookEveryMs)
}
