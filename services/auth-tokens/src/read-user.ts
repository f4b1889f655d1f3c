import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { personOf } from './person.ts'
import { absoluteLifetimeSeconds } from './session-lifetime.ts'

interface UserRow {
  id: string
  email: string
  verified: boolean
  session_expires_at: number
}

/**
 * A session that a device or an agent holds is no browser's: with it nobody approves further devices, which would outlive it.
 */
export const readUser: Handler<typeof authTokens.operations.read_user, Deps> = async (
  _input,
  caller,
  { sql },
) => {
  const [user] = await sql<UserRow>`
    select u.id, u.email, u.verified_at is not null as verified,
      floor(extract(epoch from least(
        s.expires_at, s.created_at + make_interval(secs => ${absoluteLifetimeSeconds})
      )))::bigint as session_expires_at
    from sessions s join users u on u.id = s.user_id
    where s.id = ${caller.id} and s.user_id = ${personOf(caller)} and s.client_id is null`
  // Ended since it was looked up, or a client's.
  if (!user) throw refusal('credential_invalid')
  return { body: user }
}
