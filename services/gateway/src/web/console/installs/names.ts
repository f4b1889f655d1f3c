/**
 * Names for lists of installs: all clusters, and the newest hundred completed orders. Others are shown by their
 * ids.
 */
import { compute } from '@svc/contract/compute/compute'
import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { FoundCluster } from '../../kit/visit/cluster-link.tsx'
import { type Cluster, listedClusters } from '../../kit/visit/cluster-name.ts'
import { soon } from '../../kit/visit/own-clusters.ts'
import { isUnanswered, orUnknown } from '../../kit/forms/refused-as.ts'
import { readList } from '../../kit/visit/read-list.ts'
import type { Scene } from '../shell/scene.ts'
import type { Answer, Item } from '../ui/answers.ts'

type Order = Pick<Item<'list_orders'>, 'id' | 'name' | 'reference'>

export interface InstallNames {
  readonly orders: readonly Order[]
  readonly clusters: readonly Cluster[]
}

const limit = '100'

export async function readOrders(
  { invoke }: Scene,
  query: Record<string, string>,
): Promise<readonly Order[]> {
  const list = await invoke(offers, 'list_orders', { query: { ...query, state: 'completed', limit } })
  return list.data
}

/** One call on the bus per hundred clusters. The list is shown without them if compute does not answer. */
export async function readClusters({ invoke, request }: Scene): Promise<readonly Cluster[]> {
  const clusters = readList(query => invoke(compute, 'list_clusters', { query, ...soon(request) }))
  return listedClusters((await orUnknown(clusters)) ?? [])
}

export async function clusterOf(
  { cluster_id: id, workspace_id }: Answer<'get_install'>,
  { invoke, request, workspace }: Scene,
): Promise<FoundCluster> {
  if (id === null || workspace_id !== workspace.id) return undefined
  try {
    return await invoke(compute, 'get_cluster', { params: { id }, ...soon(request) })
  } catch (error) {
    if (isUnanswered(error)) return undefined
    if (error instanceof ApiError && error.tag === 'ClusterNotFoundError') return null
    throw error
  }
}
