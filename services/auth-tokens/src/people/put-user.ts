import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { turnOfOperator } from '../credentials/passwords.ts'
import type { Deps } from '../deps.ts'
import { byJson } from '@svc/runtime/outbox/outbox'
import { passwordSet } from './person-events.ts'
import { userPrincipal } from '../leases/principals.ts'
import { refuseWeakPassword } from '../credentials/refuse-weak-password.ts'

/** A new password ends the sessions started with the old one, and all links to set another. */
export const putUser: Handler<typeof authTokens.operations.put_user, Deps> = async (
  { body: { email, password } },
  _caller,
  { sql, passwords, recall, eventWritten, call },
) => {
  await refuseWeakPassword(password, email)
  const password_hash = await passwords.hash(password, call.deadline, turnOfOperator)
  const [user] = await sql<{ id: string }>`/* auth_tokens.put_user */
    with links as (
      delete from verifications where email = ${email} returning hash
    ), person as (
      insert into users (id, email, password_hash)
      -- Links first, as whoever follows one locks them.
      select ${newId('user')}, ${email}, ${password_hash} from (select count(*) from links) ended
      on conflict (email) do update set password_hash = excluded.password_hash
      returning id
    ), told as (
      ${passwordSet(byJson(call.by))} from person
    )
    select id, end_sessions(id, ${byJson(call.by)}) from person`
  const { id } = user as { id: string }
  eventWritten()
  await recall(userPrincipal(id))
  return { body: { id } }
}
