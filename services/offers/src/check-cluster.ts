/** An install goes into a cluster of the workspace that ordered it; compute knows which those are. */
import { randomBytes } from 'node:crypto'
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
  /** Whether the order has one from an earlier submission. */
  readonly before: boolean
  /** Of this submission alone, whatever the cluster. */
  readonly token: string | undefined
  readonly cluster: string | undefined
}

/** Marks the references of one submission, since others of the same order may choose the same cluster. */
export const newChoice = (): string => randomBytes(12).toString('base64url')

/**
 * The order refers to the cluster before compute is asked for it: a deletion of the cluster either finds the reference, or
 * is found by the question (docs/clusters.md).
 *
 * @throws ApiError `Unavailable` where compute does not say
 */
export async function chooseCluster(choice: Choice, deps: Deps): Promise<ErrorEntry[]> {
  const { order, workspace, before, token = null, cluster = null } = choice
  if (before || cluster !== null) {
    await deps.sql`
      update orders set cluster_id = ${cluster}, cluster_choice = ${token}
      where id = ${order} and customer_workspace_id = ${workspace} and state = 'open'`
  }
  return cluster === null ? [] : clusterProblems(cluster, workspace, deps)
}

/** Takes the reference of a submission back that was refused. */
export async function leaveCluster({ order, workspace, token }: Choice, { sql }: Deps): Promise<void> {
  if (token === undefined) return
  await sql`
    update orders set cluster_id = null, cluster_choice = null
    where id = ${order} and customer_workspace_id = ${workspace} and state = 'open' and cluster_choice = ${token}`
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
