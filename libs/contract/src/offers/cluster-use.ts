/** Orders and installs of the service `offers` refer to clusters of the service `compute`. */
import * as z from 'zod'
import { internalForWorkspace } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { wireId } from '../core/text.ts'

export const clusterUseOperations = {
  close_cluster: {
    summary: 'Close a cluster of the workspace to orders for good, unless something refers to it',
    access: internalForWorkspace,
    body: z.strictObject({ cluster_id: wireId('clus') }),
    output: z.object({
      used_by: z
        .record(z.string(), z.string())
        .describe('By kind, the id of one resource that refers to it. Empty: the cluster is closed.'),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
