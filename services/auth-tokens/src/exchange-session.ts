import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const exchangeSession: Handler<typeof authTokens.operations.exchange_session, Deps> = async () => {
  throw refusal('internal')
}
