/** Types of events that no example causes, and that `tests/product/events.test.ts` causes. */
export const eventsWithoutExample = [
  'ci_trusts.used',
  'clusters.updated',
  'orders.ends_soon',
  'orders.expired',
  'webhook_endpoints.updated',
  'webhook_endpoints.disabled',
]

/** Refunds happen only with Stripe; the catalogue, people, keys and the operator’s commands have their own tests. */
export const eventsWithOwnTests =
  /^((packages|products|offer_channels)\.updated|orders\.refund|subscriptions\.(past_due|recovered|lapsed|ends_soon|ended|disputed|price_changed)|sign_ins|sessions\.(started|confirmed)|passwords|factors|device_grants|users|oauth_clients|signing_keys|quotas|secrets)/
