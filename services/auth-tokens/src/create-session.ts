import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import type { Deps } from './deps.ts'
import { slidingLifetimeSeconds } from './session-lifetime.ts'

export const createSession: Handler<typeof authTokens.operations.create_session, Deps> = async (
  { body: { user_id } },
  _caller,
  { sql, now },
) => {
  const id = newId('sess')
  const token = createSessionToken()
  const seconds = Math.floor(now() / 1000)
  const expires_at = seconds + slidingLifetimeSeconds
  const [session] = await sql`
    insert into sessions (id, user_id, hash, created_at, expires_at)
    select ${id}, id, decode(${hashCredential(token)}, 'hex'), to_timestamp(${seconds}), to_timestamp(${expires_at})
    from users where id = ${user_id}
    returning id`
  if (!session) throw refusal('unknown_reference', { path: ['user_id'], message: 'There is no such user.' })
  return { body: { id, token, expires_at } }
}
