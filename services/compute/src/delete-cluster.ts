import { invoke } from '@svc/bus/invoke'
import type { ScopedCaller } from '@svc/contract/caller'
import type { compute } from '@svc/contract/compute'
import { ApiError, bareError, refusal } from '@svc/contract/errors'
import { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { removeCluster } from './remove-cluster.ts'

/** What is left of the call after the answer of offers: time enough to remove the cluster. */
const reserveMs = 1000

/**
 * What refers to clusters is another service's, and so is the decision: offers finds something that refers to the cluster, or
 * closes it to orders for good. What is closed is removed, if not here then when offers asks for it (docs/clusters.md).
 */
export const deleteCluster: Handler<typeof compute.operations.delete_cluster, Deps> = async (
  { params: { id } },
  caller,
  deps,
) => {
  if (!(await isThere(id, caller, deps))) throw bareError('ClusterNotFoundError')
  const usedBy = await close(id, caller, deps)
  if (Object.keys(usedBy).length > 0) throw inUse(usedBy)
  if (!(await removeCluster(id, caller.workspace, deps))) throw bareError('ClusterNotFoundError')
  return { body: undefined }
}

/** Nobody closes what is not theirs. */
async function isThere(id: string, { workspace }: ScopedCaller, { sql }: Deps): Promise<boolean> {
  const found = await sql`select id from clusters where workspace_id = ${workspace} and id = ${id}`
  return found.length > 0
}

/** @returns what refers to the cluster, by kind; nothing where it is closed now */
async function close(
  cluster_id: string,
  { workspace }: ScopedCaller,
  { callBus, call }: Deps,
): Promise<Record<string, string>> {
  try {
    const { used_by } = await invoke(callBus, offers, 'close_cluster', {
      caller: { kind: 'internal', id: 'compute', workspace },
      body: { cluster_id },
      deadline: call.deadline - reserveMs,
      requestId: call.request_id,
    })
    return used_by
  } catch (error) {
    throw error instanceof ApiError && error.tag === 'Timeout' ? cannotSay() : error
  }
}

/** It may be closed by now. */
const cannotSay = () =>
  refusal('unavailable', {
    message:
      'Whether something refers to the cluster cannot be found out right now. A repetition does no harm: try again.',
  })

function inUse(usedBy: Record<string, string>): ApiError {
  const named = Object.entries(usedBy).map(([kind, id]) => `${kind} ${id}`)
  return refusal('in_use', {
    message: `It cannot be deleted: ${named.join(' and ')} ${named.length > 1 ? 'refer' : 'refers'} to it.`,
    metadata: usedBy,
  })
}
