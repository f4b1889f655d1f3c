import { invoke } from '@svc/bus/invoke'
import type { ScopedCaller } from '@svc/contract/core/caller'
import type { compute } from '@svc/contract/compute/compute'
import { ApiError, bareError, refusal } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { removeCluster } from './remove-cluster.ts'

/** Time that remains after the answer of offers, enough to remove the cluster. */
const reserveMs = 1000

/**
 * References to clusters belong to the service offers, and so does the decision: it finds a reference to the
 * cluster, or closes it to orders for good. A closed cluster is removed here, or later when offers asks for it
 * (docs/inside/clusters.md).
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

/** Another workspace's cluster is not closed. */
async function isThere(id: string, { workspace }: ScopedCaller, { sql }: Deps): Promise<boolean> {
  const found =
    await sql`/* compute.find_cluster */ select id from clusters where workspace_id = ${workspace} and id = ${id}`
  return found.length > 0
}

/** @returns references to the cluster by kind; empty if it is now closed */
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

const cannotSay = () =>
  refusal('unavailable', {
    message: 'We cannot tell right now whether anything refers to the cluster. It is safe to try again.',
  })

function inUse(usedBy: Record<string, string>): ApiError {
  const named = Object.entries(usedBy).map(([kind, id]) => `${kind} ${id}`)
  return refusal('in_use', {
    message: `It cannot be deleted: ${named.join(' and ')} ${named.length > 1 ? 'refer' : 'refers'} to it.`,
    metadata: usedBy,
  })
}
