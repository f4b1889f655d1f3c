import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { refuseWebAddress } from '../members/refuse-web-address.ts'

export const putOauthClient: Handler<typeof authTokens.operations.put_oauth_client, Deps> = async (
  { body: { id, name } },
  _caller,
  { sql, eventWritten, call },
) => {
  refuseWebAddress('name', name)
  await sql`/* auth_tokens.put_oauth_client */
    with put as (
      insert into oauth_clients (id, name) values (${id}, ${name})
      on conflict (id) do update set name = excluded.name
      returning id
    )
    ${intoOutbox(call.by)} id, 'events.oauth_clients.put', jsonb_build_object() from put`
  eventWritten()
  return { body: { id } }
}
