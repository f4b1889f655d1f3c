import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** The row is gone when the reply is sent, and every look-up reads the table: from then on the token is dead. */
export const revokeApiToken: Handler<typeof authTokens.operations.revoke_api_token, Deps> = async (
  { params },
  caller,
  { sql },
) => {
  const [deleted] = await sql`
    delete from api_tokens where workspace_id = ${caller.workspace} and id = ${params.id} returning id`
  if (!deleted) throw refusal('not_found', { path: ['id'] })
  return { body: undefined }
}
