/** Leaves the queue groups at one server, with the subscriptions kept for the next. */
import type { NatsConnection } from 'nats'

interface Subscription {
  readonly queue?: string
}

interface Subscribing {
  readonly subscriptions: { all(): Subscription[] }
  unsub(subscription: Subscription): void
}

const subscribing = (nc: NatsConnection) => (nc as unknown as { protocol: Subscribing }).protocol

/**
 * The server gives the calls of a queue group to others from now on; those that it has given already are here when this
 * resolves. The subscriptions stay in the client library, which makes them again at the next server.
 *
 * All that nats.js 2.29.3 offers for it ends a subscription for good (`lib/nats-base-client/protocol.js`, lines 168 and
 * 836: `drain` and `unsubscribe` cancel it). This says to the server what they say, and cancels nothing.
 */
export async function leaveQueueGroups(nc: NatsConnection): Promise<void> {
  const protocol = subscribing(nc)
  for (const subscription of protocol.subscriptions.all()) {
    if (subscription.queue) protocol.unsub(subscription)
  }
  await nc.flush()
}
