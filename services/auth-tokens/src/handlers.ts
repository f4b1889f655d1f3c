import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import { outboxHandlers } from '@svc/runtime/outbox/read-events'
import { apiTokensHandlers } from './api-tokens/handlers.ts'
import { credentialsHandlers } from './credentials/handlers.ts'
import type { Deps } from './deps.ts'
import { deviceGrantHandlers } from './device-grant/handlers.ts'
import { guardNarrowing } from './leases/guard-narrowing.ts'
import { leasesHandlers } from './leases/handlers.ts'
import { mailHandlers } from './mail/handlers.ts'
import { membersHandlers } from './members/handlers.ts'
import { peopleHandlers } from './people/handlers.ts'
import { quotasHandlers } from './quotas/handlers.ts'
import { sessionsHandlers } from './sessions/handlers.ts'
import { signingKeysHandlers } from './signing-keys/handlers.ts'

export const handlers: Handlers<typeof authTokens, Deps> = guardNarrowing({
  ...apiTokensHandlers,
  ...sessionsHandlers,
  ...peopleHandlers,
  ...deviceGrantHandlers,
  ...membersHandlers,
  ...signingKeysHandlers,
  ...credentialsHandlers,
  ...leasesHandlers,
  ...mailHandlers,
  ...quotasHandlers,
  ...outboxHandlers,
})
