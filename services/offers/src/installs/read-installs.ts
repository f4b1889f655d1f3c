import type { offers } from '@svc/contract/offers/offers'
import type { Reply } from '@svc/contract/core/operation'
import type { Database } from '@svc/runtime/database'
import { createPageReader, pagesIn, type PagesWanted, type ReadPage } from '@svc/runtime/page-reader'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { installColumns } from './install-columns.ts'
import { hideSealed } from '../sealing/sealed-values.ts'

export type Install = Reply<typeof offers.operations.remove_install>['body']

export const installOf = (row: Install): Install => ({ ...row, field_values: hideSealed(row.field_values) })

export type ListedInstall = Install & { readonly more: boolean }

/**
 * An install may have half a megabyte of field values, and so may a reply: a page ends with the install that
 * exceeds this.
 */
export const maxValueBytes = 250_000

export interface ReadInstalls {
  readonly owned: ReadPage<ListedInstall>
  readonly sold: ReadPage<ListedInstall>
}

export const createInstallReaders = (database: Database, now: () => number): ReadInstalls => ({
  owned: createPageReader<ListedInstall>(
    database,
    'owned_install_pages',
    (sql, wanted) =>
      sql`/* offers.list_owned_installs */ ${newest(fragment`customer_workspace_id`, wanted, now())}`,
  ),
  sold: createPageReader<ListedInstall>(
    database,
    'sold_install_pages',
    (sql, wanted) => sql`/* offers.list_sold_installs */ ${newest(fragment`workspace_id`, wanted, now())}`,
  ),
})

const newest = (side: Fragment, wanted: PagesWanted, now: number): Fragment => fragment`
  select page.ordinal, ${installColumns(now)}, i.more
  from ${pagesIn(wanted)}
  cross join lateral (
    select *, row_number() over (order by id desc) as nth, ${positionInPage}
    from (
      select * from installs
      where ${side} = page.workspace_id and id < page.after
      order by id desc
      limit page.size + 1
    ) newest
  ) i
  where i.nth <= page.size and ${fitsReply}
  order by page.ordinal, i.id desc`

export const positionInPage = fragment`
  lead(id) over (order by id desc) is not null as more,
  sum(field_values_size) over (order by id desc rows between unbounded preceding and 1 preceding) as bytes_before`

export const fitsReply = fragment`coalesce(i.bytes_before, 0) <= ${maxValueBytes}`
