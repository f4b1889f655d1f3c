import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, cursorAt, idRange } from '@svc/runtime/cursor'
import type { Sql } from '@svc/runtime/database'
import { oncePerPage } from '@svc/runtime/page-reader'
import type { Deps } from '../deps.ts'
import { findInstalls, type InstallFilter, type InstallsWanted } from './find-installs.ts'
import { installColumns } from './install-columns.ts'
import { fitsReply, installOf, type ListedInstall, positionInPage } from './read-installs.ts'

/** Whole lists share a statement with other callers; filtered lists have their own. */
export const listInstalls: Handler<typeof offers.operations.list_installs, Deps> = async (
  { query: { limit, cursor, relation, ...filter } },
  { workspace },
  { sql, now, readInstalls, call: { deadline } },
) => {
  if (isEmpty(filter)) {
    const after = afterCursor(cursor, 'inst')
    const rows = await readInstalls[relation]({ workspace, after, limit, deadline })
    return { body: wholeList(rows), shared: true }
  }
  const range = idRange('inst', { cursor })
  const { rows, next } = await readFiltered(sql, { workspace, range, limit, relation, now: now(), ...filter })
  return { body: pageOf(rows, next) }
}

const wholeList = oncePerPage((rows: ListedInstall[]) => pageOf(rows, null))

function pageOf(rows: ListedInstall[], next: string | null) {
  const last = rows.at(-1)
  const end = last?.more ? last.id : next
  return { data: rows.map(({ more, ...install }) => installOf(install)), next_cursor: end && cursorAt(end) }
}

const isEmpty = (filter: InstallFilter) => Object.values(filter).every(wanted => wanted === undefined)

async function readFiltered(sql: Sql, wanted: InstallsWanted) {
  const { ids, next } = await findInstalls(sql, wanted)
  if (ids.length === 0) return { rows: [], next }
  const rows = await sql<ListedInstall>`/* offers.list_installs_found */
    select ${installColumns(wanted.now)}, i.more
    from (
      select *, ${positionInPage}
      from installs
      where id = any(${ids}::text[]) and ${wanted.workspace} in (workspace_id, customer_workspace_id)
    ) i
    where ${fitsReply}
    order by i.id desc`
  return { rows, next }
}
