/** What of the service `offers` refers to clusters, which belong to the service `compute`: asked before one is deleted. */
import * as z from 'zod'
import { internalForWorkspace } from './access.ts'
import type { Operation } from './operation.ts'
import { wireId } from './text.ts'

export const clusterUseOperations = {
  find_uses_of_cluster: {
    summary: 'What refers to a cluster of the workspace',
    access: internalForWorkspace,
    body: z.strictObject({ cluster_id: wireId('clus') }),
    output: z.object({
      used_by: z.record(z.string(), z.string()).describe('By kind, the id of one that refers to it.'),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
