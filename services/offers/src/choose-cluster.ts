/** An install goes into a cluster of the workspace that ordered it; compute knows which those are. */
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute'
import { ApiError, type ErrorEntry, entryOf, refusal } from '@svc/contract/errors'
import type { Deps } from './deps.ts'

/** What is left of the call after the answer of compute: time enough to submit. */
const reserveMs = 1000

export interface Choice {
  readonly order: string
  /** The customer's. */
  readonly workspace: string
  /** What the order has from an earlier submission that was refused. */
  readonly before: string | null
  readonly cluster: string | undefined
}

/**
 * The order refers to the cluster before compute is asked for it: a deletion of the cluster either finds the reference, or
 * is found by the question (docs/clusters.md).
 *
 * @throws ApiError `Unavailable` where compute does not say
 */
export async function chooseCluster(choice: Choice, deps: Deps): Promise<ErrorEntry[]> {
  const { order, workspace, before, cluster = null } = choice
  if (before !== cluster) {
    await deps.sql`
      update orders set cluster_id = ${cluster}
      where id = ${order} and customer_workspace_id = ${workspace} and state = 'open'`
  }
  return cluster === null ? [] : clusterProblems(cluster, workspace, deps)
}

/** Takes the reference of a submission back that was refused. */
export async function leaveCluster({ order, workspace, cluster }: Choice, { sql }: Deps): Promise<void> {
  if (cluster === undefined) return
  await sql`
    update orders set cluster_id = null
    where id = ${order} and customer_workspace_id = ${workspace} and state = 'open' and cluster_id = ${cluster}`
}

async function clusterProblems(
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
    return [
      entryOf('unknown_reference', {
        path: ['cluster_id'],
        message: 'cluster_id: there is no such cluster in this workspace.',
      }),
    ]
  }
}

const cannotSay = () =>
  refusal('unavailable', {
    message: 'Whether the cluster exists cannot be found out right now. Nothing was changed.',
  })
