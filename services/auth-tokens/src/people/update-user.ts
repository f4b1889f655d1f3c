import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { getUser } from './get-user.ts'
import { personOf } from './person.ts'

export const updateUser: Handler<typeof authTokens.operations.update_user, Deps> = async (
  { body: { name } },
  caller,
  deps,
) => {
  const { sql, eventWritten, call } = deps
  const [changed] = await sql`/* auth_tokens.update_user */
    with changed as (
      update users set name = ${name}
      where id = ${personOf(caller)} and deleted_at is null and name is distinct from ${name} returning id
    )
    ${intoOutbox(call.by)} id, 'events.users.updated', jsonb_build_object('user_id', id) from changed
    returning id`
  if (changed) eventWritten()
  return getUser({ params: undefined, query: undefined, headers: undefined, body: undefined }, caller, deps)
}
