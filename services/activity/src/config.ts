import { eventsConfig, sealConfig, serviceConfig } from '@svc/runtime/config'
import { z } from 'zod'

export const activityConfig = {
  ...serviceConfig,
  ...sealConfig,
  ...eventsConfig,
  ACTIVITY_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(400)
    .describe('how long events are kept for GET /events and GET /audit_log; removed by whole months'),
  PURGE_EVERY_SECONDS: z.coerce.number().min(1).default(600).describe('how often expired data is removed'),
  WEBHOOKS_PROXY: z
    .string()
    .refine(isProxy, 'must be http://host:port or http://user:password@host:port, also with https')
    .optional()
    .describe('proxy for webhooks; which addresses they may reach is then for it to say'),
  WEBHOOKS_PORTS: z
    .string()
    .regex(/^\d{1,5}(,\d{1,5})*$/, 'must be numbers of ports, several separated by commas')
    .transform(text => text.split(',').map(Number))
    .default([])
    .describe('ports that the URLs of webhooks may name besides 443'),
  WEBHOOKS_ALLOW_LOOPBACK: z
    .enum(['true', 'false'])
    .default('false')
    .describe('whether webhooks may go to this machine, also over http: for development'),
}

function isProxy(text: string): boolean {
  try {
    const { protocol, username, password, pathname, search, hash } = new URL(text)
    decodeURIComponent(username + password)
    return /^https?:$/.test(protocol) && pathname + search + hash === '/'
  } catch {
    return false
  }
}
