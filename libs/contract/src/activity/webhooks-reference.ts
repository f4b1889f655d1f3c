/** What the OpenAPI document says of webhook endpoints. */
import type { Reference } from '../openapi/operation-reference.ts'

const group = 'Webhook endpoints'

export const webhooksReference = {
  create_webhook_endpoint: {
    group,
    description:
      'What happens from now on is sent there as a POST, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. The answer is the only one with the secret, besides those of its rotation. A repetition with the same `Idempotency-Key` is refused: `metadata.id` names the endpoint.',
    codes: ['key_reused', 'already_created', 'url_refused', 'unknown_reference', 'quota_exceeded'],
  },
  list_webhook_endpoints: { group, description: 'Newest first.' },
  get_webhook_endpoint: { group, description: 'With its state, and since when it fails.' },
  update_webhook_endpoint: {
    group,
    description:
      'What waits for the endpoint is sent to the new URL. New event types apply from now on; what happened within the hour before may be sent as well.',
    codes: ['url_refused', 'unknown_reference'],
  },
  delete_webhook_endpoint: { group, description: 'What waited for it is not sent any more.' },
  rotate_webhook_secret: {
    group,
    description:
      'For `expires_in` seconds each request has two signatures, so that receivers can take the new secret one after the other.',
  },
  pause_webhook_endpoint: {
    group,
    description: 'Events wait until it is resumed. What is being sent at this moment still arrives.',
  },
  resume_webhook_endpoint: {
    group,
    description: 'Also what the product has disabled. What happened meanwhile is sent, oldest first.',
  },
  create_test_delivery: {
    group,
    description:
      'Sends an event of the type `webhook_endpoints.test` once, also to an endpoint that is paused or disabled. Its delivery says what became of it.',
  },
  list_webhook_deliveries: { group, description: 'Newest first, of the last 30 days.' },
  redeliver_webhook: {
    group,
    description:
      'One attempt more, at once, with the same id and the current secret, whatever state delivery and endpoint are in.',
  },
} as const satisfies Record<string, Reference>
