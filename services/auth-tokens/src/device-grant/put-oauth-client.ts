import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

export const putOauthClient: Handler<typeof authTokens.operations.put_oauth_client, Deps> = async (
  { body: { id, name } },
  _caller,
  { sql },
) => {
  await sql`/* auth_tokens.put_oauth_client */
    insert into oauth_clients (id, name) values (${id}, ${name})
    on conflict (id) do update set name = excluded.name`
  return { body: { id } }
}
