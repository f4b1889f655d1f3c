import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { eventColumns, eventOf, type EventRow } from './read-events.ts'

export const getEvent: Handler<typeof activity.operations.get_event, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [row] = await sql<EventRow>`/* activity.get_event */
    select ${eventColumns} from events where workspace_id = ${workspace} and id = ${id} and not audit_only`
  if (!row) throw refusal('not_found')
  return { body: eventOf(row) }
}
