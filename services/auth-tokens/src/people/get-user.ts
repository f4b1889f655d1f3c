import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { personOf } from './person.ts'
import { authTime, methods } from '../sessions/proof.ts'
import { endOfSession } from '../sessions/session-lifetime.ts'

interface UserRow {
  id: string
  email: string
  name: string | null
  verified: boolean
  created_at: number
  session_id: string | null
  session_expires_at: number | null
  auth_time: number
  amr: string[]
}

export const getUser: Handler<typeof authTokens.operations.get_user, Deps> = async (
  _input,
  caller,
  { sql },
) => {
  const person = personOf(caller)
  const [found] = await sql<UserRow>`/* auth_tokens.get_user */
    select u.id, u.email, u.name, u.verified_at is not null as verified,
      unix_seconds(u.created_at) as created_at, s.id as session_id,
      ${endOfSession} as session_expires_at, unix_seconds(${authTime}) as auth_time, to_jsonb(${methods}) as amr
    from users u left join sessions s on s.user_id = u.id and s.id = ${caller.id}
    where u.id = ${person}`
  // A JWT of an outside issuer has no session. Any other session has ended since the look-up.
  if (!found || (!found.session_id && caller.id !== person)) throw refusal('credential_invalid')
  const { session_id, session_expires_at, auth_time, amr, ...user } = found
  const session =
    session_id && session_expires_at !== null
      ? { id: session_id, expires_at: session_expires_at, auth_time, amr }
      : null
  return { body: { ...user, session } }
}
