import type { activity } from '@svc/contract/activity/activity'
import type { Handlers } from '@svc/contract/core/operation'
import { createTestDelivery } from './deliveries/create-test-delivery.ts'
import { listWebhookDeliveries } from './deliveries/list-webhook-deliveries.ts'
import { redeliverWebhook } from './deliveries/redeliver-webhook.ts'
import type { Deps } from './deps.ts'
import { createWebhookEndpoint } from './endpoints/create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './endpoints/delete-webhook-endpoint.ts'
import { getWebhookEndpoint } from './endpoints/get-webhook-endpoint.ts'
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
import { listQuotas } from './quotas/list-quotas.ts'
import { setQuota } from './quotas/set-quota.ts'

export const handlers: Handlers<typeof activity, Deps> = {
  list_events: listEvents,
  get_event: getEvent,
  count_events: countEvents,
  list_audit_log: listAuditLog,
  create_webhook_endpoint: createWebhookEndpoint,
  list_webhook_endpoints: listWebhookEndpoints,
  get_webhook_endpoint: getWebhookEndpoint,
  update_webhook_endpoint: updateWebhookEndpoint,
  delete_webhook_endpoint: deleteWebhookEndpoint,
  rotate_webhook_secret: rotateWebhookSecret,
  pause_webhook_endpoint: pauseWebhookEndpoint,
  resume_webhook_endpoint: resumeWebhookEndpoint,
  reseal,
  create_test_delivery: createTestDelivery,
  list_webhook_deliveries: listWebhookDeliveries,
  redeliver_webhook: redeliverWebhook,
  set_quota: setQuota,
  list_quotas: listQuotas,
}
