import { maxOverdue } from '@svc/contract/offers/installs/list-installs'
import type { offers } from '@svc/contract/offers/offers'
import type { Input } from '@svc/contract/core/operation'
import type { IdRange } from '@svc/runtime/cursor'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { isWanted, pageOfScan, type ScannedPage, type ScannedRow, scanPage } from '../scanned-page.ts'

type Query = Input<typeof offers.operations.list_installs>['query']

export type InstallFilter = Omit<Query, 'limit' | 'cursor' | 'relation'>

export interface InstallsWanted extends InstallFilter {
  readonly workspace: string
  readonly relation: Query['relation']
  readonly range: IdRange
  readonly limit: number
  /** Unix milliseconds. */
  readonly now: number
}

export const findInstalls = async (sql: Sql, wanted: InstallsWanted): Promise<ScannedPage> =>
  pageOfScan(await scan(sql, wanted), wanted.limit)

/**
 * One statement per leading index: a single statement would have one plan for all of them. Each index begins with
 * the workspace, so that examined rows and cursors are the caller's own.
 */
function scan(sql: Sql, wanted: InstallsWanted): Promise<ScannedRow[]> {
  const { workspace, relation, range, limit, offer_id, product_id, package_version_id } = wanted
  const page = (where: Fragment) =>
    scanPage({ from: fragment`installs`, where, fits: fits(wanted), range, limit })
  if (wanted.subscription === 'overdue') {
    return relation === 'owned'
      ? sql`/* offers.find_overdue_installs_owned */ ${page(overdue(fragment`customer_workspace_id`, wanted))}`
      : sql`/* offers.find_overdue_installs_sold */ ${page(overdue(fragment`workspace_id`, wanted))}`
  }
  if (relation === 'owned') {
    return sql`/* offers.find_installs_owned */ ${page(fragment`customer_workspace_id = ${workspace}`)}`
  }
  const sold = fragment`workspace_id = ${workspace}`
  if (offer_id !== undefined) {
    return sql`/* offers.find_installs_of_offer */ ${page(fragment`${sold} and offer_id = ${offer_id}`)}`
  }
  if (package_version_id !== undefined) {
    const ofVersion = fragment`${sold} and package_version_id = ${package_version_id}`
    return sql`/* offers.find_installs_of_version */ ${page(ofVersion)}`
  }
  if (product_id !== undefined) {
    return sql`/* offers.find_installs_of_product */ ${page(fragment`${sold} and product_id = ${product_id}`)}`
  }
  return sql`/* offers.find_installs_sold */ ${page(sold)}`
}

const fits = (filter: InstallFilter): Fragment => fragment`
  ${isWanted(fragment`offer_id`, filter.offer_id)}
  and ${isWanted(fragment`product_id`, filter.product_id)}
  and ${isWanted(fragment`package_version_id`, filter.package_version_id)}
  and ${isWanted(fragment`cluster_id`, filter.cluster_id)}
  and ${isWanted(fragment`state`, filter.state)}`

/** An array, whose installs alone are read: the rows of `in` may be looked for along all installs of the workspace. */
const overdue = (side: Fragment, { workspace, now }: InstallsWanted): Fragment => fragment`
  ${side} = ${workspace} and id = any (array(
    select (due.s).install_id
    from (
      select s from subscriptions s
      where s.${side} = ${workspace} and s.ended_at is null and s.paid_through <= ${Math.floor(now / 1000)}
      order by s.paid_through desc
      limit ${maxOverdue}
    ) due
    where subscription_state(due.s, ${now}) in ('past_due', 'lapsed')
  ))`
