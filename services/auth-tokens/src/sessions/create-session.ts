import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { endSurplusSessions, insertSession, newSession, surplusOf } from './new-session.ts'
import { eventOfStarted } from './session-events.ts'

export const createSession: Handler<typeof authTokens.operations.create_session, Deps> = async (
  { body: { user_id } },
  _caller,
  { sql, now, recall, eventWritten, call },
) => {
  const session = newSession(now())
  const [created] = await sql<{ surplus_of: string | null }>`/* auth_tokens.create_session */
    with person as materialized (
      select id from users where id = ${user_id} and deleted_at is null for no key update
    ), opened as (
      ${insertSession(session, { user: fragment`person.id`, amr: fragment`'{}'` })} from person
      returning id, user_id, client_id
    ), event as (
      ${eventOfStarted(call.by)}
    )
    select ${endSurplusSessions(session)} as surplus_of from opened`
  if (!created) throw refusal('unknown_reference', { path: ['user_id'], message: 'There is no such user.' })
  eventWritten()
  await recall(...surplusOf(created.surplus_of))
  const { id, token, expires_at } = session
  return { body: { id, token, expires_at } }
}
