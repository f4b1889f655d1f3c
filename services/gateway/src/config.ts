import { processConfig, publicConfig } from '@svc/runtime/config'
import { workloadsConfig } from '@svc/runtime/trusted-workloads'
import { z } from 'zod'
import { trustedIssuers } from './edge/jwt/trusted-issuers.ts'
import { trustedProxies } from './edge/http/trusted-proxies.ts'

const supportContact = z
  .union([z.email(), z.url({ protocol: /^https?$/ })], {
    error: 'must be an email address, or an http:// or https:// URL',
  })
  .optional()
  .describe('where users of the API find help; shown in the API reference')

export const gatewayConfig = {
  ...processConfig,
  ...publicConfig,
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  MAX_IN_FLIGHT: z.coerce.number().int().min(1).default(512),
  MAX_FORWARDED: z.coerce.number().int().min(1).default(128),
  // Requests a second; 0: no limit.
  RATE_LIMIT_CREDENTIAL: z.coerce.number().min(0).default(250),
  RATE_LIMIT_WORKSPACE: z.coerce.number().min(0).default(500),
  RATE_LIMIT_BURST_SECONDS: z.coerce.number().min(1).max(60).default(4),
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(1024),
  // Longer than a load balancer keeps its connections, which might otherwise use one that is being closed.
  KEEP_ALIVE_SECONDS: z.coerce.number().int().min(1).max(3600).default(75),
  TRUST_PROXY: trustedProxies,
  LAME_DUCK_MS: z.coerce.number().int().min(0).default(500),
  TRUSTED_ISSUERS: trustedIssuers,
  ...workloadsConfig,
  SUPPORT_CONTACT: supportContact,
}
