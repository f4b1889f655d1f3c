import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const readVerification: Handler<typeof authTokens.operations.read_verification, Deps> = async (
  { body: { hash } },
  _caller,
  { sql, now },
) => {
  const [link] = await sql<{ email: string }>`
    select email from verifications
    where hash = decode(${hash}, 'hex') and expires_at > to_timestamp(${now() / 1000})`
  return { body: { email: link?.email ?? null } }
}
