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
  created_at: number
  session_id: string | null
  session_expires_at: number | null
}

export const getUser: Handler<typeof authTokens.operations.get_user, Deps> = async (
  _input,
  caller,
  { sql },
) => {
  const person = personOf(caller)
  const [found] = await sql<UserRow>`
    select u.id, u.email, u.verified_at is not null as verified,
      floor(extract(epoch from u.created_at))::bigint as created_at, s.id as session_id,
      floor(extract(epoch from least(
        s.expires_at, s.created_at + make_interval(secs => ${absoluteLifetimeSeconds})
      )))::bigint as session_expires_at
    from users u left join sessions s on s.user_id = u.id and s.id = ${caller.id}
    where u.id = ${person}`
  // A JWT of an outside issuer stands for the user alone. Any other session has ended since it was looked up.
  if (!found || (!found.session_id && caller.id !== person)) throw refusal('credential_invalid')
  const { session_id, session_expires_at, ...user } = found
  const session =
    session_id && session_expires_at !== null ? { id: session_id, expires_at: session_expires_at } : null
  return { body: { ...user, session } }
}
