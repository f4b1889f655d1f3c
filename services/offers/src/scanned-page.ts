/** A page of a list of which not everything is wanted, made by looking at a bounded number of rows. */
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** Where few rows fit, all others would be read for one page. So many are, at most; the next page goes on from there. */
export const maxScanned = 5000

/** What a scan returns: the rows that fit, and the last one where `maxScanned` were looked at. */
export interface ScannedRow {
  readonly id: string
  /** From 1, among those that were looked at. */
  readonly ordinal: number
  readonly fits: boolean
}

interface Scan {
  /** The table, with its alias. */
  readonly from: Fragment
  /** What the index leads to. */
  readonly where: Fragment
  /** Which of these rows are wanted. */
  readonly fits: Fragment
  /** Ids below this one. */
  readonly after: string
  readonly limit: number
}

/** The statement of a page. The outermost limit ends the walk along the index as soon as the page is full. */
export const scanPage = ({ from, where, fits, after, limit }: Scan): Fragment => fragment`
  select id, ordinal, fits
  from (
    select id, row_number() over (order by id desc) as ordinal, ${fits} as fits
    from ${from}
    where ${where} and id < ${after}
    order by id desc
    limit ${maxScanned}
  ) looked_at
  where fits or ordinal = ${maxScanned}
  order by id desc
  limit ${limit + 1}`

/** A filter of a list: where nothing is `wanted` everything fits. */
export const isWanted = (column: Fragment, wanted: string | null = null): Fragment =>
  fragment`(${wanted}::text is null or ${column} is not distinct from ${wanted})`

/** Ids, newest first. */
export interface ScannedPage {
  readonly ids: string[]
  /** The last one that was looked at; null where there are no more. */
  readonly next: string | null
}

export function pageOfScan(rows: readonly ScannedRow[], limit: number): ScannedPage {
  const found = rows.filter(({ fits }) => fits)
  const ids = found.slice(0, limit).map(({ id }) => id)
  const last = rows.at(-1)
  if (found.length > limit) return { ids, next: ids.at(-1) ?? null }
  return { ids, next: last?.ordinal === maxScanned ? last.id : null }
}
