/** The operations of the service `compute`. */
import * as z from 'zod'
import { internalForWorkspace, workspaceMember } from '../core/access.ts'
import { agentOperations } from './agents.ts'
import { clusterOperations } from './clusters.ts'
import { computeSettings } from './compute-settings.ts'
import { service } from '../core/operation.ts'
import { quotaOperations } from '../core/quotas.ts'
import { outboxOperations } from '../core/reading-events.ts'
import { pathId, wireId } from '../core/text.ts'

export { computeSettings } from './compute-settings.ts'

const clusterId = wireId('clus')

/** `If-Match` holds one strong etag, bare or in quotes: `*`, weak etags and lists are refused (RFC 9110, 13.1.1). */
const ifMatch = z
  .string({
    error: ({ code }) =>
      code === 'invalid_type' ? 'is required: send the etag of the latest compute settings' : undefined,
  })
  .max(66)
  .regex(
    /^(?:[A-Za-z0-9_-]{1,64}|"[A-Za-z0-9_-]{1,64}")$/,
    'must be one etag of the compute settings, bare or in double quotes; *, weak etags and lists are not accepted',
  )
  .transform(value => value.replaceAll('"', ''))

export const compute = service('compute', {
  ...clusterOperations,
  ...quotaOperations,
  ...outboxOperations,
  get_compute_settings: {
    summary: 'Get the compute settings of a cluster',
    http: { method: 'GET', path: '/clusters/{id}/compute_settings', status: 200 },
    access: workspaceMember,
    params: z.object({ id: pathId }),
    output: computeSettings,
    replyHeaders: ['ETag'],
    errors: ['ClusterNotFoundError', 'ComputeSettingsQueryError'],
    safe: true,
  },
  update_compute_settings: {
    summary: 'Update the compute settings of a cluster',
    http: { method: 'PATCH', path: '/clusters/{id}/compute_settings', status: 200 },
    access: workspaceMember,
    params: z.object({ id: pathId }),
    headers: z.object({ 'if-match': ifMatch }),
    body: z
      .strictObject({
        auto_scaling_enabled: z
          .boolean()
          .optional()
          .describe('True: `auto_scaling` becomes `active`; false: `inactive`; omitted: it stays.'),
        max_machines: z
          .int()
          .min(1)
          .optional()
          .describe(
            'The upper limit of machines: at most what the operator allows, 1000 by default. Omitted: it stays.',
          ),
      })
      .refine(body => body.auto_scaling_enabled !== undefined || body.max_machines !== undefined, {
        error: 'must have at least one of auto_scaling_enabled, max_machines',
      })
      .meta({ minProperties: 1 }),
    output: computeSettings,
    replyHeaders: ['ETag'],
    errors: ['ClusterNotFoundError', 'ComputeSettingsConflictError', 'ComputeSettingsQueryError'],
  },
  remove_closed_cluster: {
    summary: 'Remove a cluster that the service offers has closed to orders',
    access: internalForWorkspace,
    body: z.strictObject({ cluster_id: clusterId }),
    output: z.object({ removed: z.boolean() }),
    errors: [],
    safe: true,
  },
  ...agentOperations,
})
