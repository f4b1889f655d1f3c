/** Paging by id, newest first. A cursor is the last id of a page, opaque to clients. */
import { refusal } from '@svc/contract/core/errors'

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

export function pageOf<Row extends { id: string }>(rows: Row[], limit: number) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const more = rows.length > limit && last
  return { data, next_cursor: more ? cursorAt(last.id) : null }
}

/** The `next_cursor` of a page that ends at `id`, the last one that was returned or examined. */
export const cursorAt = (id: string): string => Buffer.from(id, 'latin1').toString('base64url')
