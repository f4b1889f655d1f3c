import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const removeSigningKey: Handler<typeof authTokens.operations.remove_signing_key, Deps> = async () => {
  throw refusal('internal')
}
