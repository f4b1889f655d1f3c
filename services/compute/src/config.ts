import { databaseConfig, eventsConfig, processConfig } from '@svc/runtime/config'
import { z } from 'zod'

/** What this service reads from its environment. */
export const computeConfig = {
  ...processConfig,
  ...databaseConfig,
  ...eventsConfig,
  MAX_MACHINES: z.coerce.number().int().min(1).max(1_000_000).default(1000),
}
