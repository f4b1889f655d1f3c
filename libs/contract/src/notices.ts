/** Sent on the bus to current listeners, and stored nowhere: something has changed, so read it again. */

/** To a cluster's agent: its compute settings were changed, or it was deleted. */
export const settingsNotice = (cluster_id: string): string => `notices.compute_settings.${cluster_id}`

/** To the service activity: there are events in this service's outbox. */
export const eventsWritten = (service: string): string => `notices.events.written.${service}`

/** To the replicas of activity: it has stored events. */
export const eventsKept = 'notices.events.kept'

/** To the other gateways: a gateway's use of the rate limits. */
export const rateLimitUse = 'notices.rate_limits'
