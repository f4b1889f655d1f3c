import type { activity } from '@svc/contract/activity/activity'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createWebhookEndpoint } from './create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts'
import { getWebhookEndpoint } from './get-webhook-endpoint.ts'
import { listWebhookEndpoints } from './list-webhook-endpoints.ts'
import { pauseWebhookEndpoint } from './pause-webhook-endpoint.ts'
import { reseal } from './reseal.ts'
import { resumeWebhookEndpoint } from './resume-webhook-endpoint.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts'

export const endpointsHandlers = {
  create_webhook_endpoint: createWebhookEndpoint,
  list_webhook_endpoints: listWebhookEndpoints,
  get_webhook_endpoint: getWebhookEndpoint,
  update_webhook_endpoint: updateWebhookEndpoint,
  delete_webhook_endpoint: deleteWebhookEndpoint,
  rotate_webhook_secret: rotateWebhookSecret,
  pause_webhook_endpoint: pauseWebhookEndpoint,
  resume_webhook_endpoint: resumeWebhookEndpoint,
  reseal,
} satisfies Partial<Handlers<typeof activity, Deps>>
