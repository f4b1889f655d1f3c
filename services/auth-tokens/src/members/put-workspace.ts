import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { refuseWebAddress } from './refuse-web-address.ts'

export const putWorkspace: Handler<typeof authTokens.operations.put_workspace, Deps> = async (
  { body: { id, name } },
  _caller,
  { sql },
) => {
  refuseWebAddress('name', name)
  await sql`/* auth_tokens.put_workspace */
    insert into workspaces (id, name) values (${id}, ${name})
    on conflict (id) do update set name = excluded.name`
  return { body: { id } }
}
