import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import type { Deps } from './deps.ts'

export const putUser: Handler<typeof authTokens.operations.put_user, Deps> = async (
  { body },
  _caller,
  { sql, passwords, call },
) => {
  const [user] = await sql<{ id: string }>`
    insert into users (id, email, password_hash)
    values (${newId('user')}, ${body.email.toLowerCase()}, ${await passwords.hash(body.password, call.deadline)})
    on conflict (email) do update set password_hash = excluded.password_hash
    returning id`
  return { body: user as { id: string } }
}
