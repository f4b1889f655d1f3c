import { invoke } from '@svc/bus/invoke'
import { ApiError, bareError, refusal } from '@svc/contract/errors'
import type { compute } from '@svc/contract/compute'
import { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { newEtag } from './settings.ts'

type DeleteCluster = Handler<typeof compute.operations.delete_cluster, Deps>

/** Each time that somebody else who was deleting it took the mark back; what refers to it then is found next. */
const attempts = 3

/** What is left of the call after the answer of offers: time enough to remove the cluster, or to take the mark back. */
const reserveMs = 1000

/**
 * What refers to clusters is another service's, so no statement sees both. The cluster is marked: from then on
 * get_compute_settings does not find it, and who writes a reference first and asks afterwards takes it back. What was
 * written before the mark is found by the question that follows it (docs/clusters.md).
 */
export const deleteCluster: DeleteCluster = async (input, caller, deps) => {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const deletion = await mark(input, caller, deps)
    const usedBy = await usesOf(input, caller, deps).catch(async error => {
      // A mark that stays is heeded by nobody half a minute later.
      await unmark(deletion, input, caller, deps).catch(() => {})
      throw error
    })
    if (Object.keys(usedBy).length > 0) {
      await unmark(deletion, input, caller, deps)
      throw inUse(usedBy)
    }
    if (await remove(deletion, input, caller, deps)) {
      deps.eventWritten()
      return { body: undefined }
    }
  }
  throw refusal('in_use')
}

type Asked = Parameters<DeleteCluster>
type Step<T> = (...asked: Asked) => Promise<T>
type MarkedStep<T> = (deletion: string, ...asked: Asked) => Promise<T>

/** Joins a deletion under way. One that has died is followed by another one, since references may have come between. */
const mark: Step<string> = async ({ params: { id } }, { workspace }, { sql }) => {
  const [marked] = await sql<{ deletion: string }>`
    update clusters set
      deletion = case when being_deleted(deleting_at) then deletion else ${newEtag()} end,
      deleting_at = clock_timestamp()
    where workspace_id = ${workspace} and id = ${id}
    returning deletion`
  if (!marked) throw bareError('ClusterNotFoundError')
  return marked.deletion
}

const usesOf: Step<Record<string, string>> = async ({ params: { id } }, { workspace }, { callBus, call }) => {
  try {
    const { used_by } = await invoke(callBus, offers, 'find_uses_of_cluster', {
      caller: { kind: 'internal', id: 'compute', workspace },
      body: { cluster_id: id },
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
    message: 'Whether something refers to the cluster cannot be found out right now. Nothing was deleted.',
  })

/** Also of those who have joined: what they have asked before no longer counts. */
const unmark: MarkedStep<unknown> = (deletion, { params: { id } }, { workspace }, { sql }) =>
  sql`
    update clusters set deletion = null, deleting_at = null
    where workspace_id = ${workspace} and id = ${id} and deletion = ${deletion}`

const remove: MarkedStep<boolean> = async (deletion, { params: { id } }, { workspace }, { sql }) => {
  const removed = await sql`
    with deleted as (
      delete from clusters
      where workspace_id = ${workspace} and id = ${id} and deletion = ${deletion} and may_be_deleted(deleting_at)
      returning id, workspace_id
    )
    insert into outbox (aggregate_id, subject, payload)
    select id, 'events.clusters.deleted', jsonb_build_object('workspace_id', workspace_id) from deleted
    returning id`
  return removed.length > 0
}

function inUse(usedBy: Record<string, string>): ApiError {
  const named = Object.entries(usedBy).map(([kind, id]) => `${kind} ${id}`)
  return refusal('in_use', {
    message: `It cannot be deleted: ${named.join(' and ')} ${named.length > 1 ? 'refer' : 'refers'} to it.`,
    metadata: usedBy,
  })
}
