import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Input } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export type Filters = Input<typeof activity.operations.list_audit_log>['query']

export interface EventRow {
  readonly position: number
  readonly id: string
  readonly type: string
  readonly aggregate_id: string
  readonly sequence: number
  readonly created_at: number
  readonly actor: string | null
  readonly request_id: string | null
  readonly address: string | null
  readonly changes: string | null
  readonly data: string
}

interface ExaminedRow extends EventRow {
  readonly ordinal: number
  readonly fits: boolean
}

export const eventColumns = fragment`
  position, id, type, aggregate_id, sequence, unix_seconds(created_at) as created_at, actor::text as actor, request_id, address,
  changes::text as changes, data::text as data`

/**
 * If few events match, a page could read all of a workspace's. It stops here, and the next page continues. Not where the oldest
 * come first, as a page that is not full says there that it is the last.
 */
const maxScanned = 5000

/**
 * Goes along the index of one filter, newest first; whether the others fit is seen of each event.
 *
 * @returns `end` is the last position of any event, as of the same moment
 */
export async function readEvents(
  sql: Sql,
  workspace: string,
  filters: Filters,
  audit: 'with audit' | 'without',
) {
  const { type, aggregate, actor, credential, after, before, limit, cursor, order } = filters
  const given = cursor === undefined ? undefined : positionOf(cursor)
  const from = given ?? (order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER)
  const most = order === 'asc' ? null : maxScanned
  const [along = nothing, ...others] = [
    aggregate === undefined ? [] : fragment`and aggregate_id = ${aggregate}`,
    credential === undefined ? [] : fragment`and credential_id = ${credential}`,
    actor === undefined ? [] : fragment`and actor_id = ${actor}`,
    type === undefined ? [] : fragment`and type = ${type}`,
  ].flat()
  const rest = [...others, audit === 'without' ? fragment`and not audit_only` : nothing].reduce(
    (all, one) => fragment`${all} ${one}`,
    nothing,
  )
  const rows = await sql<(ExaminedRow | { position: null }) & { end: number }>`/* activity.list_events */
    select e.*, p.position as end
    from last_position p left join lateral (
      select ${eventColumns}, ordinal, fits from (
        select *, row_number() over (order by position ${by(order)}) as ordinal, true ${rest} as fits
        from events
        where workspace_id = ${workspace} ${along} ${order === 'asc' ? rest : nothing}
          ${after === undefined ? nothing : fragment`and created_at >= to_timestamp(${after})`}
          ${before === undefined ? nothing : fragment`and created_at < to_timestamp(${before})`}
          and position ${order === 'asc' ? fragment`>` : fragment`<`} ${from}
        order by position ${by(order)}
        limit ${most}::bigint
      ) looked_at
      where fits or ordinal = ${most}::bigint
      order by position ${by(order)}
      limit ${limit + 1}
    ) e on true
    where p.only_row`
  const examined = rows.filter(({ position }) => position !== null) as unknown as ExaminedRow[]
  const found = examined.filter(({ fits }) => fits)
  const data = found.slice(0, limit)
  return { data, next_cursor: nextCursor() }

  function nextCursor() {
    if (found.length > limit) return cursorAt(data.at(-1)?.position ?? from)
    const last = examined.at(-1)
    if (last && last.ordinal === most) return cursorAt(last.position)
    // New events will have greater positions than any that exists.
    return order === 'asc' ? cursorAt(Math.max(from, rows[0]?.end ?? 0)) : null
  }
}

const nothing: Fragment = fragment``
const by = (order: 'asc' | 'desc') => (order === 'asc' ? fragment`asc` : fragment`desc`)

/** Opaque to clients. */
export const cursorAt = (position: number): string => Buffer.from(`p${position}`).toString('base64url')

function positionOf(cursor: string): number {
  const [, digits] = /^p(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (digits !== undefined) return Number(digits)
  throw refusal('invalid_parameter', {
    path: ['cursor'],
    message: 'cursor must be the next_cursor of an earlier response.',
  })
}

export const eventOf = (row: EventRow) => ({
  id: row.id,
  type: row.type,
  aggregate_id: row.aggregate_id,
  sequence: row.sequence,
  created_at: row.created_at,
  actor: row.actor && JSON.parse(row.actor),
  request_id: row.request_id,
  changes: row.changes && JSON.parse(row.changes),
  data: JSON.parse(row.data),
})
