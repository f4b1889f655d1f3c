import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { newSession } from './new-session.ts'

export const createSession: Handler<typeof authTokens.operations.create_session, Deps> = async (
  { body: { user_id } },
  _caller,
  { sql, now },
) => {
  const { id, token, hash, created_at, expires_at } = newSession(now())
  const [session] = await sql`
    insert into sessions (id, user_id, hash, created_at, expires_at)
    select ${id}, id, decode(${hash}, 'hex'), to_timestamp(${created_at}), to_timestamp(${expires_at})
    from users where id = ${user_id}
    returning id`
  if (!session) throw refusal('unknown_reference', { path: ['user_id'], message: 'There is no such user.' })
  return { body: { id, token, expires_at } }
}
