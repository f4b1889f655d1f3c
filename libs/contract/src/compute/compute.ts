import { httpOperations } from './http-operations.ts'
import * as z from 'zod'
import { internalForWorkspace } from '../core/access.ts'
import { agentOperations } from './agents.ts'
import { service } from '../core/operation.ts'
import { nameOperations } from '../core/names.ts'
import { matchOperations } from '../core/matches.ts'
import { quotaOperations } from '../core/quotas.ts'
import { outboxOperations } from '../core/reading-events.ts'
import { wireId } from '../core/text.ts'

export { computeSettings } from './compute-settings.ts'

const clusterId = wireId('clus')

export const compute = service('compute', {
  ...httpOperations,
  ...quotaOperations,
  ...nameOperations,
  ...matchOperations,
  ...outboxOperations,
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
