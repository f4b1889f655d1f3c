import { settingsNotice } from '@svc/contract/notices'
import type { PublishEvent } from '@svc/runtime/relay-events'

const ofInterest = new Set(['events.compute_settings.updated', 'events.clusters.deleted'])

/**
 * Tells a cluster's agent of each event that concerns it, after the stream was given it: agents wait for their own
 * cluster alone, and read no stream. Said again where the event is published again.
 */
export const notifyAgents =
  (publish: PublishEvent, notify: (subject: string) => void): PublishEvent =>
  async event => {
    const outcome = await publish(event)
    if (ofInterest.has(event.subject)) notify(settingsNotice(event.aggregate_id))
    return outcome
  }
