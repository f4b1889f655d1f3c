/** Orders and installs of the service `offers` refer to workspaces of the service `auth-tokens`. */
import * as z from 'zod'
import { internalForWorkspace } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { clusterUseOperations } from './cluster-use.ts'

export const workspaceUseOperations = {
  close_workspace: {
    summary: 'Close a workspace to orders, unless something refers to it',
    access: internalForWorkspace,
    body: z.strictObject({
      is_deleted: z
        .boolean()
        .describe(
          'True: for good, whatever refers to it. False: for an hour, in which it is deleted or not.',
        ),
    }),
    output: clusterUseOperations.close_cluster.output,
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
