import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { cursorAt, eventOf, readEvents } from './read-events.ts'

export const listAuditLog: Handler<typeof activity.operations.list_audit_log, Deps> = async (
  { query },
  { workspace },
  { sql },
) => {
  const { data, next_cursor } = await readEvents(sql, workspace, query, 'with audit')
  const items = data.map(row => ({
    ...eventOf(row),
    address: row.address,
    cursor: cursorAt(row.position),
  }))
  return { body: { data: items, next_cursor } }
}
