import { settingsNotice } from '@svc/contract/notices'
import type { ReadEvents } from '@svc/runtime/outbox/read-events'

const ofInterest = new Set(['compute_settings.updated', 'clusters.deleted'])

/**
 * Notifies a cluster's agent of its events when the service activity reads them and before it has the answer:
 * agents listen for their own cluster only and do not read the stream. Repeated if the events are read again.
 */
export const notifyAgents =
  (read: ReadEvents, notify: (subject: string) => void): ReadEvents =>
  async (sql, wanted) => {
    const answer = await read(sql, wanted)
    const concerned = answer.events.filter(({ type }) => ofInterest.has(type))
    for (const cluster of new Set(concerned.map(({ aggregate_id }) => aggregate_id)))
      notify(settingsNotice(cluster))
    return answer
  }
