import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
import { ApiError, type ErrorEntry, entryOf, refusal } from '@svc/contract/core/errors'
import type { Deps } from '../deps.ts'

const reserveMs = 1000

/**
 * Validates the choice of a cluster. It may be deleted afterwards: the submitting statement checks whether it was
 * closed (docs/inside/clusters.md).
 *
 * @throws ApiError `Unavailable` if compute does not answer
 */
export async function clusterProblems(
  cluster: string,
  workspace: string,
  { callBus, call }: Pick<Deps, 'callBus' | 'call'>,
): Promise<ErrorEntry[]> {
  try {
    await invoke(callBus, compute, 'get_compute_settings', {
      caller: { kind: 'internal', id: 'offers', workspace },
      params: { id: cluster },
      deadline: call.deadline - reserveMs,
      requestId: call.request_id,
    })
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.tag !== 'ClusterNotFoundError') throw cannotSay()
    return [entryOf('unknown_reference', unknownCluster)]
  }
}

/** The same for another workspace's cluster, a deleted one, and one that is being deleted. */
export const unknownCluster = {
  path: ['cluster_id'],
  message: 'cluster_id: there is no such cluster in this workspace.',
}

const cannotSay = () =>
  refusal('unavailable', {
    message: 'We cannot tell right now whether the cluster exists. Nothing was changed.',
  })
