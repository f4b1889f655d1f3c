import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { ownSessionPrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'
import { isWithin } from './session-lifetime.ts'
import { eventOfEnded } from './session-events.ts'

/** The row is deleted and the session recalled before the reply is sent, and with it its JWTs. */
export const endSession: Handler<typeof authTokens.operations.end_session, Deps> = async (
  { params },
  caller,
  { sql, recall, eventWritten, call },
) => {
  const user = personOf(caller)
  const id = params.id === 'current' ? caller.id : params.id
  const [ended] = await sql`/* auth_tokens.end_session */
    with ended as (
      delete from sessions s where s.user_id = ${user} and s.id = ${id} and ${isWithin(caller)} returning s.id, s.user_id
    ), event as (
      ${eventOfEnded(call.by)}
    )
    select id from ended`
  if (ended) eventWritten()
  await recall(ownSessionPrincipal(user, id))
  if (!ended) throw refusal('not_found', { path: ['id'], message: 'You have no such session.' })
  return { body: undefined }
}
