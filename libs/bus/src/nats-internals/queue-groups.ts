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
 * From now on the server gives the queue groups' calls to others; calls that it has already sent are received
 * before this resolves. The subscriptions stay in the client library, which renews them at the next server.
 *
 * nats.js 2.29.3 can only end a subscription for good (`lib/nats-base-client/protocol.js`, lines 168 and 836:
 * `drain` and `unsubscribe` cancel it). This sends the same protocol message without cancelling.
 */
export async function leaveQueueGroups(nc: NatsConnection): Promise<void> {
  const protocol = subscribing(nc)
  for (const subscription of protocol.subscriptions.all()) {
    if (subscription.queue) protocol.unsub(subscription)
  }
  await nc.flush()
}
