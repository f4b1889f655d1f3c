import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { cursorAt, idRange } from '@svc/runtime/cursor'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { findOffers } from './find-offers.ts'
import { columnsAt, listedTerms, summaryColumns } from './offer-columns.ts'
import { type SummaryRow, summaryOf } from './offer-view.ts'
import { byId, isWanted } from '../scanned-page.ts'

/** Two statements, since an offer may hold much that a list does not show. */
export const listOffers: Handler<typeof offers.operations.list_offers, Deps> = async (
  { query: { limit, cursor, order, ...filter } },
  { workspace },
  { sql, now },
) => {
  const range = idRange('offer', { cursor, order, ...filter })
  const { ids, next } = await findOffers(sql, { workspace, range, limit, now: now(), ...filter })
  if (ids.length === 0) return { body: { data: [], next_cursor: next && cursorAt(next) } }
  // Filters by state again, so that an offer that has just changed is not listed in its old state.
  const rows = await sql<SummaryRow>`/* offers.list_offers_found */
    select ${summaryColumns}, ${listedTerms(fragment`o`)}, ${columnsAt(now())}
    from offers o
    where o.workspace_id = ${workspace} and o.id = any(${ids}::text[])
      and ${isWanted(fragment`offer_state(o, ${now()})`, filter.state)}
    order by o.id ${byId(range)}`
  return { body: { data: rows.map(summaryOf), next_cursor: next && cursorAt(next) } }
}
