import { testEventType } from './webhooks.ts'
import { at, webhook } from '../openapi/example-names.ts'

export const fields = {
  url: 'https://hooks.acme.example/svc',
  event_types: ['orders.*', 'installs.created'],
  description: 'Order desk',
}
export const endpoint = {
  id: webhook.id,
  ...fields,
  state: 'active',
  disabled_reason: null,
  failing_since: null,
  last_delivered_at: null,
  previous_secret_expires_at: null,
  created_at: at(6000),
} as const
export const inPath = { params: { id: webhook.id } }
export const delivery = {
  id: webhook.testEvent,
  type: testEventType,
  aggregate_id: webhook.id,
  state: 'pending' as const,
  created_at: at(6100),
  next_attempt_at: at(6100),
  attempts: [],
}
export const rotated = { ...endpoint, previous_secret_expires_at: at(6000 + 86_400) }
