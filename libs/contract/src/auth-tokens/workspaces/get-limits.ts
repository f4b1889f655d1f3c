import { limits } from '../limits.ts'
import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { quotaNames, quotas } from '../../core/quotas.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Get the workspace’s quotas and rate limits, and their use',
  http: { method: 'GET', path: '/limits', status: 200 },
  access: workspaceMember,
  permission: 'limits:read',
  rateUse: true,
  output: limits,
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'limits', own: true },
  page: '/settings',
  group: 'Workspaces',
  description:
    'Rate limits are those of the credential used and of the workspace; every response also has them in the header `RateLimit`. Exceeding a quota gets 422 with its name.',
  examples: [
    {
      step: 40,
      summary: 'The members of a new workspace',
      by: 'owner',
      request: {},
      answer: {
        body: {
          rate_limits: [
            { policy: 'credential', limit: 1000, window_seconds: 4, remaining: 996, resets_in_seconds: 1 },
            { policy: 'workspace', limit: 2000, window_seconds: 4, remaining: 1996, resets_in_seconds: 1 },
          ],
          quotas: quotaNames.toSorted().map(quota => ({
            quota,
            used: quota === 'members' ? 1 : 0,
            most: quotas[quota].most,
            counts: quotas[quota].counts,
          })),
        },
      },
    },
  ],
})
