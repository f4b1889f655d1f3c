/** Which installs a page of the list has, where not all are wanted. */
import type { offers } from '@svc/contract/offers'
import type { Input } from '@svc/contract/operation'
import type { Sql } from '@svc/runtime/database'
import { maxScanned, pageOfScan, type ScannedPage, type ScannedRow } from './scanned-page.ts'

type Query = Input<typeof offers.operations.list_installs>['query']

export type InstallFilter = Omit<Query, 'limit' | 'cursor' | 'relation'>

export interface InstallsWanted extends InstallFilter {
  readonly workspace: string
  readonly relation: Query['relation']
  /** Ids below this one. */
  readonly after: string
  readonly limit: number
}

export const findInstalls = async (sql: Sql, wanted: InstallsWanted): Promise<ScannedPage> =>
  pageOfScan(await scan(sql, wanted), wanted.limit)

/**
 * One statement for each index that may lead: one for all would be planned once, for any of them. Each index begins with
 * the workspace, so that what is looked at, and what a cursor names, is the caller's own.
 */
function scan(sql: Sql, wanted: InstallsWanted): Promise<ScannedRow[]> {
  const { workspace, relation, after, limit, state = null, cluster_id = null } = wanted
  const { offer_id = null, product_id = null, package_version_id = null } = wanted
  // The outermost limit ends the walk along the index as soon as the page is full.
  if (relation === 'owned') {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select i.id, row_number() over (order by i.id desc) as place,
          (${offer_id}::text is null or i.offer_id = ${offer_id})
          and (${product_id}::text is null or i.product_id is not distinct from ${product_id})
          and (${package_version_id}::text is null or i.package_version_id = ${package_version_id})
          and (${cluster_id}::text is null or i.cluster_id is not distinct from ${cluster_id})
          and (${state}::text is null or i.state = ${state}) as fits
        from installs i
        where i.customer_workspace_id = ${workspace} and i.id < ${after}
        order by i.id desc
        limit ${maxScanned}
      ) looked_at
      where fits or place = ${maxScanned}
      order by id desc
      limit ${limit + 1}`
  }
  if (offer_id !== null) {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select i.id, row_number() over (order by i.id desc) as place,
          (${product_id}::text is null or i.product_id is not distinct from ${product_id})
          and (${package_version_id}::text is null or i.package_version_id = ${package_version_id})
          and (${cluster_id}::text is null or i.cluster_id is not distinct from ${cluster_id})
          and (${state}::text is null or i.state = ${state}) as fits
        from installs i
        where i.workspace_id = ${workspace} and i.offer_id = ${offer_id} and i.id < ${after}
        order by i.id desc
        limit ${maxScanned}
      ) looked_at
      where fits or place = ${maxScanned}
      order by id desc
      limit ${limit + 1}`
  }
  if (package_version_id !== null) {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select i.id, row_number() over (order by i.id desc) as place,
          (${product_id}::text is null or i.product_id is not distinct from ${product_id})
          and (${cluster_id}::text is null or i.cluster_id is not distinct from ${cluster_id})
          and (${state}::text is null or i.state = ${state}) as fits
        from installs i
        where i.workspace_id = ${workspace} and i.package_version_id = ${package_version_id} and i.id < ${after}
        order by i.id desc
        limit ${maxScanned}
      ) looked_at
      where fits or place = ${maxScanned}
      order by id desc
      limit ${limit + 1}`
  }
  if (product_id !== null) {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select i.id, row_number() over (order by i.id desc) as place,
          (${cluster_id}::text is null or i.cluster_id is not distinct from ${cluster_id})
          and (${state}::text is null or i.state = ${state}) as fits
        from installs i
        where i.workspace_id = ${workspace} and i.product_id = ${product_id} and i.id < ${after}
        order by i.id desc
        limit ${maxScanned}
      ) looked_at
      where fits or place = ${maxScanned}
      order by id desc
      limit ${limit + 1}`
  }
  return sql<ScannedRow>`
    select id, place, fits
    from (
      select i.id, row_number() over (order by i.id desc) as place,
        (${cluster_id}::text is null or i.cluster_id is not distinct from ${cluster_id})
        and (${state}::text is null or i.state = ${state}) as fits
      from installs i
      where i.workspace_id = ${workspace} and i.id < ${after}
      order by i.id desc
      limit ${maxScanned}
    ) looked_at
    where fits or place = ${maxScanned}
    order by id desc
    limit ${limit + 1}`
}
