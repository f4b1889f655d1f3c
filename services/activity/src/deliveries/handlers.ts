import type { activity } from '@svc/contract/activity/activity'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createTestDelivery } from './create-test-delivery.ts'
import { listWebhookDeliveries } from './list-webhook-deliveries.ts'
import { redeliverWebhook } from './redeliver-webhook.ts'

export const deliveriesHandlers = {
  create_test_delivery: createTestDelivery,
  list_webhook_deliveries: listWebhookDeliveries,
  redeliver_webhook: redeliverWebhook,
} satisfies Partial<Handlers<typeof activity, Deps>>
