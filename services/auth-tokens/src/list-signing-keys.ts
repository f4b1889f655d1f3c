import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

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
  const keys = await sql<Row>`
    select kid, state, public_jwk, floor(extract(epoch from created_at))::bigint as created_at
    from signing_keys order by retired_at desc, created_at desc`
  return { body: { keys } }
}
