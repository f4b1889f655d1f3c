import { databaseConfig, processConfig, publicConfig, sealConfig } from '@svc/runtime/config'
import { workloadsConfig } from '@svc/runtime/trusted-workloads'
import { z } from 'zod'

export const authTokensConfig = {
  ...processConfig,
  ...databaseConfig,
  ...publicConfig,
  ...sealConfig,
  ...workloadsConfig,
  PURGE_EVERY_SECONDS: z.coerce.number().min(1).default(600).describe('how often expired data is removed'),
  MAIL_URL: z
    .string()
    .regex(/^(smtps?:\/\/.+|log:)$/, 'must be smtp://…, smtps://… or log:')
    .optional()
    .describe('the server that sends mail; log: writes it to the log'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/, 'must be an address, or a name <address>')
    .optional()
    .describe('the sender; svc <no-reply@host of PUBLIC_URL> by default'),
}
