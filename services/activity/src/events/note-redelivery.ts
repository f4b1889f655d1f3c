import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'

export const noteRedelivery: Handler<typeof activity.operations.note_redelivery, Deps> = async (
  { body: { event_id, service, type } },
  _caller,
  { sql, eventWritten, call },
) => {
  await sql`/* activity.note_redelivery */
    ${intoOutbox(call.by)} ${event_id}, 'events.parked_events.redelivered', ${sql.json({ service, type })}::json`
  eventWritten()
  return { body: {} }
}
