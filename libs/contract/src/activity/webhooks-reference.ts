/** What the OpenAPI document says of webhook endpoints. */
import type { Reference } from '../openapi/operation-reference.ts'

const group = 'Webhook endpoints'

export const webhooksReference = {
  create_webhook_endpoint: {
    command: {
      name: 'webhooks create',
      help: 'Create a webhook endpoint; its secret is shown only once.',
      options: {
        event_types: {
          name: 'type',
          help: 'A type of events, or all of one noun as orders.*; may be repeated.',
        },
      },
      examples: [
        "webhooks create --url https://hooks.example.com/svc --type 'orders.*' --type installs.created",
      ],
    },
    page: '/webhooks/new',
    group,
    description:
      'What happens from now on is sent there as a POST, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. The answer is the only one with the secret, besides those of its rotation. A repetition with the same `Idempotency-Key` is refused: `metadata.id` names the endpoint.',
    codes: ['key_reused', 'already_created', 'url_refused', 'unknown_reference', 'quota_exceeded'],
  },
  list_webhook_endpoints: {
    command: { name: 'webhooks list', columns: ['id', 'url', 'state', 'failing_since', 'event_types'] },
    page: '/webhooks',
    group,
    description: 'Newest first.',
  },
  get_webhook_endpoint: {
    command: 'webhooks get',
    page: '/webhooks/:id',
    group,
    description: 'With its state, and since when it fails.',
  },
  update_webhook_endpoint: {
    command: {
      name: 'webhooks update',
      options: {
        event_types: {
          name: 'type',
          help: 'A type of events, or all of one noun as orders.*; may be repeated.',
        },
      },
      examples: ["webhooks update whe_01h455vb4pex5vsknk084sn02q --type 'orders.*'"],
    },
    page: '/webhooks/:id/edit',
    group,
    description:
      'What waits for the endpoint is sent to the new URL. New event types apply from now on; what happened within the hour before may be sent as well.',
    codes: ['url_refused', 'unknown_reference'],
  },
  delete_webhook_endpoint: {
    command: 'webhooks delete',
    page: '/webhooks/:id/delete',
    group,
    description: 'What waited for it is not sent any more.',
  },
  rotate_webhook_secret: {
    command: {
      name: 'webhooks rotate',
      help: 'Create a new secret for a webhook endpoint; it is shown only once.',
      options: {
        expires_in: {
          name: 'grace',
          help: 'How long the old secret signs as well, up to 7d (default: a day).',
        },
      },
      examples: ['webhooks rotate whe_01h455vb4pex5vsknk084sn02q --grace 1h'],
    },
    page: '/webhooks/:id/rotate',
    group,
    description:
      'For `expires_in` seconds each request has two signatures, so that receivers can take the new secret one after the other.',
  },
  pause_webhook_endpoint: {
    command: 'webhooks pause',
    page: '/webhooks/:id/pause',
    group,
    description: 'Events wait until it is resumed. What is being sent at this moment still arrives.',
  },
  resume_webhook_endpoint: {
    command: 'webhooks resume',
    page: '/webhooks/:id/resume',
    group,
    description: 'Also what the product has disabled. What happened meanwhile is sent, oldest first.',
  },
  create_test_delivery: {
    command: 'webhooks test',
    page: '/webhooks/:id/test',
    group,
    description:
      'Sends an event of the type `webhook_endpoints.test` once, also to an endpoint that is paused or disabled. Its delivery says what became of it.',
  },
  list_webhook_deliveries: {
    command: {
      name: 'webhooks deliveries',
      columns: [
        'id',
        'type',
        'aggregate_id',
        'state',
        'created_at',
        'attempts: length(attempts)',
        'last_attempt_at: attempts[-1].at',
        'status: attempts[-1].status',
        'next_attempt_at',
        'error: attempts[-1].error',
      ],
    },
    page: '/webhooks/:id',
    group,
    description: 'Newest first, of the last 30 days.',
  },
  redeliver_webhook: {
    command: { name: 'webhooks redeliver', ids: { delivery_id: 'evt_…' } },
    page: '/webhooks/:id/redeliver',
    group,
    description:
      'One attempt more, at once, with the same id and the current secret, whatever state delivery and endpoint are in.',
  },
} as const satisfies Record<string, Reference>
