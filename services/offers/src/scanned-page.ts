/** A page of a list of which not everything is wanted, made by looking at a bounded number of rows. */

/** Where few rows fit, all others would be read for one page. So many are, at most; the next page goes on from there. */
export const maxScanned = 5000

/** What a scan returns: the rows that fit, and the last one where `maxScanned` were looked at. */
export interface ScannedRow {
  readonly id: string
  /** From 1, among those that were looked at. */
  readonly place: number
  readonly fits: boolean
}

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
  return { ids, next: last?.place === maxScanned ? last.id : null }
}
