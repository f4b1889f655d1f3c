/** Orders and installs of the service `offers` refer to clusters, which belong to the service `compute`. */
import * as z from 'zod'
import { internalForWorkspace } from './access.ts'
import type { Operation } from './operation.ts'
import { wireId } from './text.ts'

export const clusterUseOperations = {
  close_cluster: {
    summary: 'Close a cluster of the workspace to orders for good, unless something refers to it',
    access: internalForWorkspace,
    body: z.strictObject({ cluster_id: wireId('clus') }),
    output: z.object({
      used_by: z
        .record(z.string(), z.string())
        .describe('By kind, the id of one that refers to it. Empty: it is closed.'),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
