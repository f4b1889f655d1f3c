import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

interface Row {
  kid: string
  state: 'next' | 'active' | 'retired'
  public_jwk: Record<string, string>
  created_at: number
}

export const listSigningKeys: Handler<typeof authTokens.operations.list_signing_keys, Deps> = async (
  _input,
  _caller,
  { sql },
) => {
  const keys = await sql<Row>`/* auth_tokens.list_signing_keys */
    select kid, state, public_jwk, unix_seconds(created_at) as created_at
    from signing_keys order by retired_at desc, created_at desc`
  return { body: { keys } }
}
