import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

export const verifyUser: Handler<typeof authTokens.operations.verify_user, Deps> = async (
  { body: { email } },
  _caller,
  { sql, now },
) => {
  const [user] = await sql<{ id: string }>`/* auth_tokens.verify_user */
    update users set verified_at = coalesce(verified_at, to_timestamp(${Math.floor(now() / 1000)}))
    where email = ${email.toLowerCase()}
    returning id`
  if (!user) throw refusal('unknown_reference', { path: ['email'], message: 'There is no such user.' })
  return { body: { id: user.id } }
}
