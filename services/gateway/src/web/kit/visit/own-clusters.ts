/** The clusters for a person's install. The page is shown without them if compute does not answer. */
import { scaled } from '@svc/contract/core/deadline-scale'
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
import { ApiError } from '@svc/contract/core/errors'
import { wireId } from '@svc/contract/core/text'
import type { FastifyRequest } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { actingIn, lacksFactor, type Member, type Workspace } from './acting.ts'
import { type Cluster, listedClusters } from './cluster-name.ts'
import { isUnanswered } from '../forms/refused-as.ts'
import type { VisitDeps } from './visit.ts'

/** Clusters are read for this many workspaces, the newest of each, up to one page of the list. */
export const maxWorkspaces = 10
export const maxClusters = 100

const patienceMs = scaled(1000)

export interface OwnClusters {
  readonly groups: readonly { readonly workspace: Workspace; readonly clusters: readonly Cluster[] }[]
  readonly isPartial: boolean
  readonly isUnknown: boolean
}

export const noClusters: OwnClusters = { groups: [], isPartial: false, isUnknown: false }

/** @param first the workspace that is asked before all others */
export async function clustersOf(
  workspaces: readonly Workspace[],
  first: string | undefined,
  request: FastifyRequest,
  deps: VisitDeps,
): Promise<OwnClusters> {
  const isFirst = ({ id }: Workspace) => Number(id === first)
  const asked = new Set([...workspaces].sort((a, b) => isFirst(b) - isFirst(a)).slice(0, maxWorkspaces))
  const lists = await Promise.all(
    workspaces
      .filter(workspace => asked.has(workspace))
      .map(async workspace => ({ workspace, list: await listOf(workspace, request, deps) })),
  )
  return {
    groups: lists.flatMap(({ workspace, list }) =>
      list && list.data.length > 0 ? [{ workspace, clusters: listedClusters(list.data) }] : [],
    ),
    isPartial: workspaces.length > asked.size || lists.some(({ list }) => list?.next_cursor),
    isUnknown: lists.some(({ list }) => !list),
  }
}

async function listOf({ id }: Workspace, request: FastifyRequest, deps: VisitDeps) {
  try {
    const member = await actingIn(id, request, deps)
    if (!member || lacksFactor(member)) return { data: [], next_cursor: null }
    return await invoke(deps.call, compute, 'list_clusters', {
      caller: member,
      query: { limit: `${maxClusters}` },
      ...inTime(request),
    })
  } catch (error) {
    if (isUnanswered(error)) return undefined
    throw error
  }
}

/**
 * The cluster of the member's workspace; undefined if there is none with the id.
 *
 * @throws ApiError if compute does not answer: `isUnanswered`
 */
export async function findCluster(
  id: string,
  member: Member,
  request: FastifyRequest,
  { call }: VisitDeps,
): Promise<Cluster | undefined> {
  if (!wireId('clus').safeParse(id).success) return undefined
  try {
    return await invoke(call, compute, 'get_cluster', { caller: member, params: { id }, ...inTime(request) })
  } catch (error) {
    if (error instanceof ApiError && error.tag === 'ClusterNotFoundError') return undefined
    throw error
  }
}

const inTime = (request: FastifyRequest) => ({ ...callContext(request), ...soon(request) })

export const soon = ({ deadline }: Pick<FastifyRequest, 'deadline'>) => ({
  deadline: Math.min(deadline, Date.now() + patienceMs),
})
