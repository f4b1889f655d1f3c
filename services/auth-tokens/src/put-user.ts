import { hash } from '@node-rs/argon2'
import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import type { Deps } from './deps.ts'

/** argon2id with the parameters of OWASP's password storage recommendation. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const putUser: Handler<typeof authTokens.operations.put_user, Deps> = async (
  { body },
  _caller,
  { sql },
) => {
  const [user] = await sql<{ id: string }>`
    insert into users (id, email, password_hash)
    values (${newId('user')}, ${body.email.toLowerCase()}, ${await hash(body.password, argon2id)})
    on conflict (email) do update set password_hash = excluded.password_hash
    returning id`
  return { body: user as { id: string } }
}
