/**
 * Sent on the bus to those listening at that moment, and stored nowhere: something has changed, so read it
 * again.
 */

/** The compute settings of this cluster were changed, or it was deleted: for its agent. */
export const settingsNotice = (cluster_id: string): string => `notices.compute_settings.${cluster_id}`

/** There are events in the outbox of this service: for the service activity. */
export const eventsWritten = (service: string): string => `notices.events.written.${service}`

/** The service activity has kept events: for its replicas. */
export const eventsKept = 'notices.events.kept'

/** What a gateway has used of the rate limits: for the other gateways. */
export const rateLimitUse = 'notices.rate_limits'
