import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { eventOf, readEvents } from './read-events.ts'

export const listEvents: Handler<typeof activity.operations.list_events, Deps> = async (
  { query },
  { workspace },
  { sql },
) => {
  const { data, next_cursor } = await readEvents(
    sql,
    workspace,
    { ...query, credential: undefined },
    'without',
  )
  return { body: { data: data.map(eventOf), next_cursor } }
}
