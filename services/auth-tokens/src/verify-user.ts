import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const verifyUser: Handler<typeof authTokens.operations.verify_user, Deps> = async () => {
  throw refusal('internal')
}
