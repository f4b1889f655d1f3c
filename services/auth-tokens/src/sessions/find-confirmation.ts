import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { waitsWith } from './proof.ts'

interface Waiting {
  client_name: string | null
  address: string | null
  user_agent: string | null
  created_at: number
}

export const findConfirmation: Handler<typeof authTokens.operations.find_confirmation, Deps> = async (
  { body: { code_hash } },
  caller,
  { sql, now },
) => {
  const [session = null] = await sql<Waiting>`/* auth_tokens.find_confirmation */
    select c.name as client_name, s.address, s.user_agent, unix_seconds(s.created_at) as created_at
    from sessions s left join oauth_clients c on c.id = s.client_id
    where s.user_id = ${personOf(caller)} and ${waitsWith(code_hash, now() / 1000)}`
  return { body: { session } }
}
