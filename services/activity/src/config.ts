import { serviceConfig } from '@svc/runtime/config'
import { z } from 'zod'

/** What this service reads from its environment. */
export const activityConfig = {
  ...serviceConfig,
  ACTIVITY_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(400)
    .describe('how long events are kept for GET /events and GET /audit_log; removed by whole months'),
}
