/** Pages of a list, newest first: a cursor is the last id of the page before. */
import { invalid } from './refusal.ts'

export interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface Page<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

/** The id that the page begins after. */
export function idBefore({ cursor }: PageQuery, prefix: string): string {
  // The next letter sorts after every id of this kind.
  if (cursor === undefined) return String.fromCharCode(prefix.charCodeAt(0) + 1)
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!id.startsWith(`${prefix}_`))
    throw invalid(['cursor'], 'cursor must be the next_cursor of a page.', 40004)
  return id
}

/** Makes a page of `limit + 1` rows. */
export function pageOf<Row extends { id: string }>(rows: readonly Row[], { limit }: PageQuery): Page<Row> {
  const data = rows.length > limit ? rows.slice(0, limit) : rows
  const last = data.at(-1)
  const more = rows.length > limit && last
  return { data, next_cursor: more ? Buffer.from(last.id, 'latin1').toString('base64url') : null }
}
