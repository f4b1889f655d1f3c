import { type Matches, matchesOf, matchesOfKind } from '@svc/contract/core/matches'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** How many of the newest rows are looked at first, which is enough where many have such words. */
export const newest = 200

/** How many are otherwise taken from the index of words, which has no order. */
export const maxScanned = 1000

/** A select of one row each time, since a join of many rows may be planned as a hash of the whole table. */
export const nameOfOffer = (id: Fragment): Fragment => fragment`
  select coalesce(
    (select name from products where id = f.product_id),
    (select name from packages where id = v.package_id)
  )
  from offers f join package_versions v on v.id = f.package_version_id where f.id = ${id}`

export interface Wanted {
  readonly workspace: string
  readonly query: string
  /** Orders of the workspace by the name of what was ordered. */
  readonly ordered: readonly string[]
}

interface Row {
  readonly id: string
  readonly name: string
  readonly detail: string | null
}

export async function matchOffers(sql: Sql, { workspace, query }: Wanted): Promise<Matches> {
  const rows = await sql<Row>`/* offers.match_offers */
    with newest as (
      select id from (
        select id, words from offers where workspace_id = ${workspace} order by id desc limit ${newest}
      ) n
      where words @@ ${query}::text::tsquery
      order by id desc
      limit ${matchesOfKind + 1}
    ), found as (
      select id from newest
      union
      select id from (
        select id, workspace_id from offers
        where words @@ ${query}::text::tsquery and (select count(*) from newest) <= ${matchesOfKind}
        limit ${maxScanned}
      ) i
      where workspace_id = ${workspace}
      order by id desc
      limit ${matchesOfKind + 1}
    )
    select o.id, (${nameOfOffer(fragment`o.id`)}) as name,
      coalesce(o.customer ->> 'display_name', left(coalesce(o.internal_note, o.notes), 100)) as detail
    from found join offers o on o.id = found.id
    order by o.id desc`
  return matchesOf('offer', rows)
}
