// Written by `npm run generate`.
import type { activity } from '@svc/contract/activity/activity'
import type { Handlers } from '@svc/contract/core/operation'
import { commonHandlers } from '@svc/runtime/common-handlers'
import type { Deps } from './deps.ts'
import { createTestDelivery } from './deliveries/create-test-delivery.ts'
import { getWebhookDelivery } from './deliveries/get-webhook-delivery.ts'
import { listWebhookDeliveries } from './deliveries/list-webhook-deliveries.ts'
import { redeliverWebhook } from './deliveries/redeliver-webhook.ts'
import { createWebhookEndpoint } from './endpoints/create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './endpoints/delete-webhook-endpoint.ts'
import { getWebhookEndpoint } from './endpoints/get-webhook-endpoint.ts'
import { listMatches } from './endpoints/list-matches.ts'
import { listWebhookEndpoints } from './endpoints/list-webhook-endpoints.ts'
import { pauseWebhookEndpoint } from './endpoints/pause-webhook-endpoint.ts'
import { reseal } from './endpoints/reseal.ts'
import { resumeWebhookEndpoint } from './endpoints/resume-webhook-endpoint.ts'
import { rotateWebhookSecret } from './endpoints/rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from './endpoints/update-webhook-endpoint.ts'
import { countEvents } from './events/count-events.ts'
import { getEvent } from './events/get-event.ts'
import { listAuditLog } from './events/list-audit-log.ts'
import { listEvents } from './events/list-events.ts'

export const handlers: Handlers<typeof activity, Deps> = {
  ...commonHandlers('activity'),
  create_test_delivery: createTestDelivery,
  get_webhook_delivery: getWebhookDelivery,
  list_webhook_deliveries: listWebhookDeliveries,
  redeliver_webhook: redeliverWebhook,
  create_webhook_endpoint: createWebhookEndpoint,
  delete_webhook_endpoint: deleteWebhookEndpoint,
  get_webhook_endpoint: getWebhookEndpoint,
  list_matches: listMatches,
  list_webhook_endpoints: listWebhookEndpoints,
  pause_webhook_endpoint: pauseWebhookEndpoint,
  reseal,
  resume_webhook_endpoint: resumeWebhookEndpoint,
  rotate_webhook_secret: rotateWebhookSecret,
  update_webhook_endpoint: updateWebhookEndpoint,
  count_events: countEvents,
  get_event: getEvent,
  list_audit_log: listAuditLog,
  list_events: listEvents,
}
