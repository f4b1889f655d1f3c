import { settingsNotice } from '@svc/contract/notices'
import type { PublishEvent } from '@svc/runtime/outbox/relay-events'

const ofInterest = new Set(['events.compute_settings.updated', 'events.clusters.deleted'])

/**
 * Notifies a cluster's agent of each event that concerns it, once the stream has the event: agents listen for
 * their own cluster only and do not read the stream. Repeated if the event is published again.
 */
export const notifyAgents =
  (publish: PublishEvent, notify: (subject: string) => void): PublishEvent =>
  async event => {
    const outcome = await publish(event)
    if (ofInterest.has(event.subject)) notify(settingsNotice(event.aggregate_id))
    return outcome
  }
