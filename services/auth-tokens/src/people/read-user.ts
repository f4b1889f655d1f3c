import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { personOf } from './person.ts'
import { endOfSession } from '../sessions/session-lifetime.ts'

interface UserRow {
  id: string
  email: string
  verified: boolean
  session_expires_at: number
}

/**
 * A session of a device or an agent must not approve further devices, which would outlive it: only browser
 * sessions may.
 */
export const readUser: Handler<typeof authTokens.operations.read_user, Deps> = async (
  _input,
  caller,
  { sql },
) => {
  const [user] = await sql<UserRow>`/* auth_tokens.read_user */
    select u.id, u.email, u.verified_at is not null as verified,
      ${endOfSession} as session_expires_at
    from sessions s join users u on u.id = s.user_id
    where s.id = ${caller.id} and s.user_id = ${personOf(caller)} and s.client_id is null`
  // Ended since the look-up, or the session of a client.
  if (!user) throw refusal('credential_invalid')
  return { body: user }
}
