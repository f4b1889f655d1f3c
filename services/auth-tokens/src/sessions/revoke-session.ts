import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { sessionPrincipal } from '../leases/principals.ts'
import { eventOfEnded } from './session-events.ts'

export const revokeSession: Handler<typeof authTokens.operations.revoke_session, Deps> = async (
  { body: { id } },
  _caller,
  { sql, recall, eventWritten, call },
) => {
  const [deleted] = await sql`/* auth_tokens.revoke_session */
    with ended as (
      delete from sessions where id = ${id} returning id, user_id
    ), event as (
      ${eventOfEnded(call.by)}
    )
    select id from ended`
  if (deleted) eventWritten()
  await recall(sessionPrincipal(id))
  if (!deleted) throw refusal('not_found', { path: ['id'], message: 'There is no such session.' })
  return { body: undefined }
}
