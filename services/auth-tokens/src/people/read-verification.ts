import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { openLink } from './verification-links.ts'

export const readVerification: Handler<typeof authTokens.operations.read_verification, Deps> = async (
  { body: { hash } },
  _caller,
  { sql, now },
) => {
  const [link] = await sql<{ email: string; signed_up: boolean }>`/* auth_tokens.read_verification */
    with link as (${openLink(hash, now() / 1000)})
    select l.email, coalesce(u.password_hash is not null, false) as signed_up
    from link l left join users u on u.email = l.email`
  return { body: link ?? { email: null, signed_up: false } }
}
