import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, cursorAt } from '@svc/runtime/cursor'
import type { Sql } from '@svc/runtime/database'
import type { Deps } from './deps.ts'
import { findInstalls, type InstallFilter, type InstallsWanted } from './find-installs.ts'
import { installOf, type ListedInstall, maxValueBytes } from './read-installs.ts'

/** The whole list is read together with those of others; what is filtered is read alone. */
export const listInstalls: Handler<typeof offers.operations.list_installs, Deps> = async (
  { query: { limit, cursor, relation, ...filter } },
  { workspace },
  { sql, readInstalls, call: { deadline } },
) => {
  const after = afterCursor(cursor, 'inst')
  const { rows, next } = isEmpty(filter)
    ? { rows: await readInstalls[relation]({ workspace, after, limit, deadline }), next: null }
    : await readFiltered(sql, { workspace, after, limit, relation, ...filter })
  const last = rows.at(-1)
  const end = last?.more ? last.id : next
  return {
    body: { data: rows.map(({ more, ...install }) => installOf(install)), next_cursor: end && cursorAt(end) },
  }
}

const isEmpty = (filter: InstallFilter) => Object.values(filter).every(wanted => wanted === undefined)

async function readFiltered(sql: Sql, wanted: InstallsWanted) {
  const { ids, next } = await findInstalls(sql, wanted)
  if (ids.length === 0) return { rows: [], next }
  const rows = await sql<ListedInstall>`
    select id, state, customer_workspace_id as workspace_id, workspace_id as seller_workspace_id, offer_id, order_id,
      product_id, package_version_id, cluster_id, field_values,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from removed_at))::bigint as removed_at, more
    from (
      select *, lead(id) over (order by id desc) is not null as more,
        sum(octet_length(field_values::text)) over (order by id desc rows between unbounded preceding and 1 preceding)
          as bytes_before
      from installs
      where id = any(${ids}::text[]) and ${wanted.workspace} in (workspace_id, customer_workspace_id)
    ) listed
    where coalesce(bytes_before, 0) <= ${maxValueBytes}
    order by id desc`
  return { rows, next }
}
