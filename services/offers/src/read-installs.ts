/** The newest installs of a workspace below an id: pages that are asked for together are read by one statement. */
import type { offers } from '@svc/contract/offers'
import type { Reply } from '@svc/contract/operation'
import type { Database } from '@svc/runtime/database'
import { createPageReader, type ReadPage } from '@svc/runtime/page-reader'
import { hideSealed } from './sealed-values.ts'

export type Install = Reply<typeof offers.operations.get_install>['body']

/** What either side may see of it. */
export const installOf = (row: Install): Install => ({ ...row, field_values: hideSealed(row.field_values) })

/** `more`: whether another one comes after it. */
export type ListedInstall = Install & { readonly more: boolean }

/**
 * An install may have half a megabyte of field values, and a reply has one: where those of a page come to more than this,
 * it ends with the install that went beyond.
 */
export const maxValueBytes = 250_000

/** By whose they are: the customer's, who owns them, or the seller's. */
export interface ReadInstalls {
  readonly owned: ReadPage<ListedInstall>
  readonly sold: ReadPage<ListedInstall>
}

export const createInstallReaders = (database: Database): ReadInstalls => ({
  owned: createPageReader<ListedInstall>(
    database,
    'owned_install_pages',
    (sql, { workspaces, afters, limits }) => sql`
      select page.place, i.id, i.state, i.customer_workspace_id as workspace_id, i.workspace_id as seller_workspace_id,
        i.offer_id, i.order_id, i.product_id, i.package_version_id, i.cluster_id, i.field_values,
        floor(extract(epoch from i.created_at))::bigint as created_at,
        floor(extract(epoch from i.removed_at))::bigint as removed_at, i.more
      from unnest(${workspaces}::text[], ${afters}::text[], ${limits}::bigint[])
        with ordinality as page (workspace_id, after, size, place)
      cross join lateral (
        select *, row_number() over (order by id desc) as nth, lead(id) over (order by id desc) is not null as more,
          sum(field_values_size) over (order by id desc rows between unbounded preceding and 1 preceding)
            as bytes_before
        from (
          select * from installs
          where customer_workspace_id = page.workspace_id and id < page.after
          order by id desc
          limit page.size + 1
        ) newest
      ) i
      where i.nth <= page.size and coalesce(i.bytes_before, 0) <= ${maxValueBytes}
      order by page.place, i.id desc`,
  ),
  sold: createPageReader<ListedInstall>(
    database,
    'sold_install_pages',
    (sql, { workspaces, afters, limits }) => sql`
      select sold.place, i.id, i.state, i.customer_workspace_id as workspace_id, i.workspace_id as seller_workspace_id,
        i.offer_id, i.order_id, i.product_id, i.package_version_id, i.cluster_id, i.field_values,
        floor(extract(epoch from i.created_at))::bigint as created_at,
        floor(extract(epoch from i.removed_at))::bigint as removed_at, i.more
      from unnest(${workspaces}::text[], ${afters}::text[], ${limits}::bigint[])
        with ordinality as sold (workspace_id, after, size, place)
      cross join lateral (
        select *, row_number() over (order by id desc) as nth, lead(id) over (order by id desc) is not null as more,
          sum(field_values_size) over (order by id desc rows between unbounded preceding and 1 preceding)
            as bytes_before
        from (
          select * from installs
          where workspace_id = sold.workspace_id and id < sold.after
          order by id desc
          limit sold.size + 1
        ) newest
      ) i
      where i.nth <= sold.size and coalesce(i.bytes_before, 0) <= ${maxValueBytes}
      order by sold.place, i.id desc`,
  ),
})
