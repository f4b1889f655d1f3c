import * as z from 'zod'
import { internalForWorkspace } from './access.ts'
import type { Operation } from './operation.ts'

export interface Quota {
  readonly service: 'offers' | 'auth-tokens' | 'compute' | 'activity'
  readonly most: number
  readonly counts: string
  readonly kept?: true
}

export const quotas = {
  packages: { service: 'offers', most: 1000, counts: 'packages' },
  package_versions: {
    service: 'offers',
    most: 5000,
    counts: 'versions of all packages, each with at most 64 KiB of schema',
  },
  products: { service: 'offers', most: 1000, counts: 'products' },
  offer_channels: { service: 'offers', most: 1000, counts: 'offer channels' },
  offers: { service: 'offers', most: 1_000_000, counts: 'offers, whatever their state', kept: true },
  offer_bytes: {
    service: 'offers',
    most: 4 * 2 ** 30,
    counts: 'bytes of offers, before compression',
    kept: true,
  },
  channel_policies: { service: 'offers', most: 5000, counts: 'policies of all channels' },
  orders_placed: { service: 'offers', most: 1000, counts: 'orders in progress that the workspace placed' },
  members: { service: 'auth-tokens', most: 1000, counts: 'members' },
  invitations: {
    service: 'auth-tokens',
    most: 1000,
    counts: 'invitations that are neither answered nor expired',
  },
  api_tokens: { service: 'auth-tokens', most: 500, counts: 'API tokens that have not expired' },
  ci_tokens: { service: 'auth-tokens', most: 200, counts: 'tokens of CI runs that have not expired' },
  ci_trusts: { service: 'auth-tokens', most: 50, counts: 'CI trusts' },
  clusters: { service: 'compute', most: 200, counts: 'clusters' },
  webhook_endpoints: { service: 'activity', most: 20, counts: 'webhook endpoints' },
} as const satisfies Record<string, Quota>

export type QuotaName = keyof typeof quotas

export const quotaNames = Object.keys(quotas) as QuotaName[]

export const quotaUse = z.object({
  quota: z.string().describe('The name of the quota, such as `products`.'),
  used: z.number().int(),
  most: z.number().int(),
})
export type QuotaUse = z.infer<typeof quotaUse>

export const quotasOf = (service: string) =>
  quotaNames.filter(name => quotas[name].service === service).map(name => ({ name, most: quotas[name].most }))

export const quotaOperations = {
  list_quotas: {
    summary: 'List how much of each quota a workspace uses',
    access: internalForWorkspace,
    output: z.object({ data: z.array(quotaUse) }),
    errors: [],
    safe: true,
  },
  set_quota: {
    summary: 'Set a workspace’s own quota, or return it to the default',
    access: internalForWorkspace,
    body: z.strictObject({
      quota: z.enum(quotaNames as [QuotaName, ...QuotaName[]]),
      // Large enough for bytes of offers.
      most: z.number().int().min(0).max(1e15).nullable().describe('null: the default.'),
    }),
    output: z.object({ quota: z.string(), most: z.number().int() }),
    errors: ['Unprocessable'],
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
