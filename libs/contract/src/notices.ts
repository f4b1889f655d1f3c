/**
 * Sent on the bus to those listening at that moment, and stored nowhere: something has changed, so read it
 * again.
 */

/** The compute settings of this cluster were changed, or it was deleted: for its agent. */
export const settingsNotice = (cluster_id: string): string => `notices.compute_settings.${cluster_id}`

/** What a gateway has used of the rate limits: for the other gateways. */
export const rateLimitUse = 'notices.rate_limits'
