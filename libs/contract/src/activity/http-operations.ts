// Written by `npm run generate`.
import { operation as list_events } from './events/list-events.ts'
import { operation as get_event } from './events/get-event.ts'
import { operation as count_events } from './events/count-events.ts'
import { operation as list_audit_log } from './events/list-audit-log.ts'
import { operation as create_webhook_endpoint } from './webhook-endpoints/create-webhook-endpoint.ts'
import { operation as list_webhook_endpoints } from './webhook-endpoints/list-webhook-endpoints.ts'
import { operation as get_webhook_endpoint } from './webhook-endpoints/get-webhook-endpoint.ts'
import { operation as update_webhook_endpoint } from './webhook-endpoints/update-webhook-endpoint.ts'
import { operation as rotate_webhook_secret } from './webhook-endpoints/rotate-webhook-secret.ts'
import { operation as pause_webhook_endpoint } from './webhook-endpoints/pause-webhook-endpoint.ts'
import { operation as resume_webhook_endpoint } from './webhook-endpoints/resume-webhook-endpoint.ts'
import { operation as create_test_delivery } from './webhook-endpoints/create-test-delivery.ts'
import { operation as get_webhook_delivery } from './webhook-endpoints/get-webhook-delivery.ts'
import { operation as redeliver_webhook } from './webhook-endpoints/redeliver-webhook.ts'
import { operation as list_webhook_deliveries } from './webhook-endpoints/list-webhook-deliveries.ts'
import { operation as delete_webhook_endpoint } from './webhook-endpoints/delete-webhook-endpoint.ts'

export const httpOperations = {
  list_events,
  get_event,
  count_events,
  list_audit_log,
  create_webhook_endpoint,
  list_webhook_endpoints,
  get_webhook_endpoint,
  update_webhook_endpoint,
  rotate_webhook_secret,
  pause_webhook_endpoint,
  resume_webhook_endpoint,
  create_test_delivery,
  get_webhook_delivery,
  redeliver_webhook,
  list_webhook_deliveries,
  delete_webhook_endpoint,
}
