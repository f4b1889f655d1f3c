import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const deleteMember: Handler<typeof authTokens.operations.delete_member, Deps> = async () => {
  throw refusal('internal')
}
