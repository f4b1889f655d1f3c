import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const revokeSession: Handler<typeof authTokens.operations.revoke_session, Deps> = async (
  { body: { id } },
  _caller,
  { sql },
) => {
  const [deleted] = await sql`delete from sessions where id = ${id} returning id`
  if (!deleted) throw refusal('not_found', { path: ['id'], message: 'There is no such session.' })
  return { body: undefined }
}
