/** A page of a filtered list, made by examining a bounded number of rows. */
import type { IdRange } from '@svc/runtime/cursor'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** If few rows match, a page could scan the whole table. It stops here, and the next page continues. */
export const maxScanned = 5000

/** Returns the matching rows, and the last examined row if the scan stopped at `maxScanned`. */
export interface ScannedRow {
  readonly id: string
  readonly ordinal: number
  readonly fits: boolean
}

interface Scan {
  readonly from: Fragment
  readonly where: Fragment
  readonly fits: Fragment
  readonly range: IdRange
  readonly limit: number
}

export const byId = ({ order }: IdRange): Fragment => (order === 'asc' ? fragment`asc` : fragment`desc`)

/** The outermost limit ends the scan along the index as soon as the page is full. */
export const scanPage = ({ from, where, fits, range, limit }: Scan): Fragment => fragment`
  select id, ordinal, fits
  from (
    select id, row_number() over (order by id ${byId(range)}) as ordinal, ${fits} as fits
    from ${from}
    where ${where} and id > ${range.above} and id < ${range.below}
    order by id ${byId(range)}
    limit ${maxScanned}
  ) looked_at
  where fits or ordinal = ${maxScanned}
  order by id ${byId(range)}
  limit ${limit + 1}`

export const isWanted = (column: Fragment, wanted: string | null = null): Fragment =>
  fragment`(${wanted}::text is null or ${column} is not distinct from ${wanted})`

interface Times {
  readonly after?: number | undefined
  readonly before?: number | undefined
}

export const isWithin = (column: Fragment, { after, before }: Times): Fragment => fragment`
  (${after ?? null}::bigint is null or ${column} >= to_timestamp(${after ?? null}::bigint))
  and (${before ?? null}::bigint is null or ${column} < to_timestamp(${before ?? null}::bigint))`

/** The columns compare as bytes; for lower case the locale of the database decides. */
export const hasText = (texts: Fragment, wanted: string | null = null): Fragment => fragment`
  (${wanted}::text is null
    or strpos(lower(concat_ws(' ', ${texts}) collate "default"), lower(${wanted}::text)) > 0)`

export interface ScannedPage {
  readonly ids: string[]
  readonly next: string | null
}

export function pageOfScan(rows: readonly ScannedRow[], limit: number): ScannedPage {
  const found = rows.filter(({ fits }) => fits)
  const ids = found.slice(0, limit).map(({ id }) => id)
  const last = rows.at(-1)
  if (found.length > limit) return { ids, next: ids.at(-1) ?? null }
  return { ids, next: last?.ordinal === maxScanned ? last.id : null }
}
