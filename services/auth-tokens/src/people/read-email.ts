import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

export const readEmail: Handler<typeof authTokens.operations.read_email, Deps> = async (
  { body: { user_id } },
  _caller,
  { sql },
) => {
  const [user] = await sql<{ email: string }>`/* auth_tokens.read_email */
    select email from users where id = ${user_id} and verified_at is not null`
  return { body: { email: user?.email ?? null } }
}
