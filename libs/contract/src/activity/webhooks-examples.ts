/** Ada has events sent to a server of Acme. */
import { refusal } from '../core/errors.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
import { absent, at, webhook } from '../openapi/example-names.ts'
import { testEventType } from './webhooks.ts'

const fields = {
  url: 'https://hooks.acme.example/svc',
  event_types: ['orders.*', 'installs.created'],
  description: 'Order desk',
}
const endpoint = {
  id: webhook.id,
  ...fields,
  state: 'active',
  disabled_reason: null,
  failing_since: null,
  last_delivered_at: null,
  previous_secret_expires_at: null,
  created_at: at(6000),
} as const
const inPath = { params: { id: webhook.id } }
const delivery = {
  id: webhook.testEvent,
  type: testEventType,
  aggregate_id: webhook.id,
  state: 'pending' as const,
  created_at: at(6100),
  next_attempt_at: at(6100),
  attempts: [],
}
const rotated = { ...endpoint, previous_secret_expires_at: at(6000 + 86_400) }

export const webhooksExamples = [
  succeeds('activity', 'create_webhook_endpoint', {
    summary: 'Everything about orders',
    by: 'owner',
    request: { body: fields },
    answer: { body: { ...endpoint, secret: webhook.secret } },
  }),
  isRefused('activity', 'create_webhook_endpoint', {
    summary: 'Not https',
    by: 'owner',
    request: { body: { ...fields, url: 'http://hooks.acme.example/svc' } },
    refusal: refusal('url_refused', { path: ['url'], message: 'The URL must begin with https://.' }),
  }),
  succeeds('activity', 'list_webhook_endpoints', {
    summary: 'List',
    by: 'owner',
    request: {},
    answer: { body: { data: [endpoint], next_cursor: null } },
  }),
  succeeds('activity', 'get_webhook_endpoint', {
    summary: 'Read',
    by: 'owner',
    request: inPath,
    answer: { body: endpoint },
  }),
  isRefused('activity', 'get_webhook_endpoint', {
    summary: 'Id of another workspace',
    by: 'owner',
    request: { params: { id: absent('whe') } },
    refusal: refusal('not_found', { path: ['id'] }),
  }),
  succeeds('activity', 'update_webhook_endpoint', {
    summary: 'Another description',
    by: 'owner',
    request: { ...inPath, body: { description: fields.description } },
    answer: { body: endpoint },
  }),
  succeeds('activity', 'rotate_webhook_secret', {
    summary: 'Both secrets sign for a day',
    by: 'owner',
    request: { ...inPath, body: { expires_in: 86_400 } },
    answer: { body: { ...rotated, secret: webhook.rotatedSecret } },
  }),
  succeeds('activity', 'pause_webhook_endpoint', {
    summary: 'Pause',
    by: 'owner',
    request: inPath,
    answer: { body: { ...rotated, state: 'paused' } },
  }),
  succeeds('activity', 'resume_webhook_endpoint', {
    summary: 'Resume',
    by: 'owner',
    request: inPath,
    answer: { body: rotated },
  }),
  succeeds('activity', 'create_test_delivery', {
    summary: 'Is anybody there?',
    by: 'owner',
    request: inPath,
    answer: { body: delivery },
  }),
  succeeds('activity', 'redeliver_webhook', {
    summary: 'Once more',
    by: 'owner',
    request: { params: { id: webhook.id, delivery_id: webhook.testEvent } },
    answer: { body: delivery },
  }),
  succeeds('activity', 'list_webhook_deliveries', {
    summary: 'Those that were accepted: none yet',
    by: 'owner',
    request: { ...inPath, query: { state: 'delivered' } },
    answer: { body: { data: [], next_cursor: null } },
  }),
  succeeds('activity', 'delete_webhook_endpoint', {
    summary: 'Delete',
    by: 'owner',
    request: inPath,
    answer: {},
  }),
]
