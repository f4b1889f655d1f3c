import { sealConfig, serviceConfig } from '@svc/runtime/config'
import { z } from 'zod'

/** What this service reads from its environment. */
export const activityConfig = {
  ...serviceConfig,
  ...sealConfig,
  ACTIVITY_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(400)
    .describe('how long events are kept for GET /events and GET /audit_log; removed by whole months'),
  PURGE_EVERY_SECONDS: z.coerce.number().min(1).default(600).describe('how often expired data is removed'),
  WEBHOOKS_ALLOW_LOOPBACK: z
    .enum(['true', 'false'])
    .default('false')
    .describe('whether webhooks may go to this machine, also over http: for development'),
}
