import type { activity } from '@svc/contract/activity/activity'
import type { Handlers } from '@svc/contract/core/operation'
import { deliveriesHandlers } from './deliveries/handlers.ts'
import type { Deps } from './deps.ts'
import { endpointsHandlers } from './endpoints/handlers.ts'
import { countEvents } from './events/count-events.ts'
import { getEvent } from './events/get-event.ts'
import { listAuditLog } from './events/list-audit-log.ts'
import { listEvents } from './events/list-events.ts'
import { quotasHandlers } from './quotas/handlers.ts'

export const handlers: Handlers<typeof activity, Deps> = {
  list_events: listEvents,
  get_event: getEvent,
  count_events: countEvents,
  list_audit_log: listAuditLog,
  ...endpointsHandlers,
  ...deliveriesHandlers,
  ...quotasHandlers,
}
