import type { offers } from '@svc/contract/offers'
import type { Handler, Reply } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Database } from '@svc/runtime/database'
import { createPageReader } from '@svc/runtime/page-reader'
import type { Deps } from './deps.ts'

export type InstallRow = Reply<typeof offers.operations.get_install>['body']

export const listInstalls: Handler<typeof offers.operations.list_installs, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { readInstalls, call: { deadline } },
) => {
  const after = afterCursor(cursor, 'inst')
  return { body: pageOf(await readInstalls({ workspace, after, limit: limit + 1, deadline }), limit) }
}

export const createInstallReader = (database: Database) =>
  createPageReader<InstallRow>(
    database,
    (sql, { workspaces, afters, limits }) => sql`
      select page.place, i.*
      from unnest(${workspaces}::text[], ${afters}::text[], ${limits}::bigint[])
        with ordinality as page (workspace_id, after, size, place)
      cross join lateral (
        select id, state, customer_workspace_id as workspace_id, workspace_id as seller_workspace_id, offer_id, order_id,
          product_id, package_version_id, cluster_id, field_values,
          floor(extract(epoch from created_at))::bigint as created_at
        from installs
        where customer_workspace_id = page.workspace_id and id < page.after
        order by id desc
        limit page.size
      ) i
      order by page.place, i.id desc`,
  )
