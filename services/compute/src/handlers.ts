import type { compute } from '@svc/contract/compute/compute'
import type { Handlers } from '@svc/contract/core/operation'
import { outboxHandlers } from '@svc/runtime/outbox/read-events'
import { agentsHandlers } from './agents/handlers.ts'
import { clustersHandlers } from './clusters/handlers.ts'
import type { Deps } from './deps.ts'
import { quotasHandlers } from './quotas/handlers.ts'
import { settingsHandlers } from './settings/handlers.ts'

export const handlers: Handlers<typeof compute, Deps> = {
  ...clustersHandlers,
  ...settingsHandlers,
  ...agentsHandlers,
  ...quotasHandlers,
  ...outboxHandlers,
}
