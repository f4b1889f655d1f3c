/** Ends what other services still have of deleted workspaces: orders, agents, webhooks. */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { compute } from '@svc/contract/compute/compute'
import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { Sql } from '@svc/runtime/database'

const batch = 10
const patienceMs = 2000

/**
 * One round; any number of replicas may run it, and everything in it may be repeated. It begins when no request that
 * was admitted before the deletion can be under way.
 *
 * @param at Unix seconds
 * @returns whether there may be more to do at once
 */
export async function clearWorkspaces(sql: () => Sql, callBus: CallBus, at: number): Promise<boolean> {
  const deleted = await sql()<{ id: string }>`/* auth_tokens.find_deleted_workspaces */
    select id from workspaces where clearing and deleted_at < to_timestamp(${at}) - interval '10 seconds'
    order by deleted_at limit ${batch}`
  for (const { id } of deleted) {
    await clear(id, callBus)
    await sql()`/* auth_tokens.finish_deletion */ update workspaces set clearing = null where id = ${id}`
  }
  return deleted.length >= batch
}

async function clear(workspace: string, callBus: CallBus) {
  const asked = () =>
    ({
      caller: { kind: 'internal', id: 'auth-tokens', workspace },
      deadline: Date.now() + patienceMs,
    }) as const
  await invoke(callBus, offers, 'close_workspace', { ...asked(), body: { is_deleted: true } })
  const query = { limit: '100' }
  for (;;) {
    const [clusters, endpoints] = await Promise.all([
      invoke(callBus, compute, 'list_clusters', { ...asked(), query }),
      invoke(callBus, activity, 'list_webhook_endpoints', { ...asked(), query }),
    ])
    if (clusters.data.length + endpoints.data.length === 0) return
    for (const { id: cluster_id } of clusters.data)
      await invoke(callBus, compute, 'remove_closed_cluster', { ...asked(), body: { cluster_id } })
    for (const { id } of endpoints.data)
      await invoke(callBus, activity, 'delete_webhook_endpoint', { ...asked(), params: { id } }).catch(
        goneAlready,
      )
  }
}

/** Another replica was first. */
function goneAlready(error: unknown) {
  if (!(error instanceof ApiError && error.tag === 'NotFound')) throw error
}
