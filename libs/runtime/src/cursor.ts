/** Paging by id, newest first. A cursor is the last id of a page, opaque to clients. */
import { refusal } from '@svc/contract/core/errors'
import { idAt } from './id.ts'

/** The id below which a page begins; on the first page an id above every TypeID of this prefix. */
export function afterCursor(cursor: string | undefined, prefix: string): string {
  if (cursor === undefined) return `${prefix}_z`
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!id.startsWith(`${prefix}_`) || !/^[a-z]+_[0-9a-z]+$/.test(id)) {
    throw refusal('invalid_parameter', {
      path: ['cursor'],
      message: 'cursor must be the next_cursor of an earlier response.',
    })
  }
  return id
}

export interface ListAsked {
  readonly cursor?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** Unix seconds. */
  readonly after?: number | undefined
  readonly before?: number | undefined
}

/** The ids between which a page lies, both excluded. */
export interface IdRange {
  readonly above: string
  readonly below: string
  readonly order: 'asc' | 'desc'
}

/** The id of something may be from another clock, or older than its time: the exact bounds are those of its time. */
const clockSlackMs = 86_400_000

export function idRange(prefix: string, { cursor, order = 'desc', after, before }: ListAsked): IdRange {
  const end = cursor === undefined ? undefined : afterCursor(cursor, prefix)
  const above = after === undefined ? `${prefix}_` : idAt(prefix, after * 1000 - clockSlackMs)
  const below = before === undefined ? `${prefix}_z` : idAt(prefix, before * 1000 + clockSlackMs)
  if (end === undefined) return { above, below, order }
  return order === 'asc'
    ? { above: end > above ? end : above, below, order }
    : { above, below: end < below ? end : below, order }
}

export function pageOf<Row extends { id: string }>(rows: Row[], limit: number) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const more = rows.length > limit && last
  return { data, next_cursor: more ? cursorAt(last.id) : null }
}

/** The `next_cursor` of a page that ends at `id`, the last one that was returned or examined. */
export const cursorAt = (id: string): string => Buffer.from(id, 'latin1').toString('base64url')
