import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const rotateApiToken: Handler<typeof authTokens.operations.rotate_api_token, Deps> = async () => {
  throw refusal('internal')
}
