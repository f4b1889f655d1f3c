import { httpOperations } from './http-operations.ts'
import { ciOperations } from './ci-trusts.ts'
import { confirmationOperations } from './confirmations.ts'
import { credentialOperations } from './credential-lookup.ts'
import { factorOperations } from './factors.ts'
import { deviceGrantOperations } from './device-grant.ts'
import { leaseOperations } from './leases.ts'
import { mailOperations } from './mail.ts'
import { service } from '../core/operation.ts'
import { peopleOperations } from './people.ts'
import { nameOperations } from '../core/names.ts'
import { quotaOperations } from '../core/quotas.ts'
import { outboxOperations } from '../core/reading-events.ts'
import { sealingOperations } from '../core/sealing.ts'
import { sessionOperations } from './sessions.ts'
import { signingKeyOperations } from './signing-keys.ts'
import { webhookMailOperations } from './webhook-mail.ts'

export const authTokens = service('auth-tokens', {
  ...httpOperations,
  ...sessionOperations,
  ...confirmationOperations,
  ...peopleOperations,
  ...factorOperations,
  ...deviceGrantOperations,
  ...signingKeyOperations,
  ...credentialOperations,
  ...ciOperations,
  ...leaseOperations,
  ...mailOperations,
  ...webhookMailOperations,
  ...sealingOperations,
  ...quotaOperations,
  ...nameOperations,
  ...outboxOperations,
})
