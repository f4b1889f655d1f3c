import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const requestVerification: Handler<
  typeof authTokens.operations.request_verification,
  Deps
> = async () => {
  throw refusal('internal')
}
