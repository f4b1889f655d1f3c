import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'

export const verifyUser: Handler<typeof authTokens.operations.verify_user, Deps> = async (
  { body: { email } },
  _caller,
  { sql, now, eventWritten, call },
) => {
  const [user] = await sql<{ id: string }>`/* auth_tokens.verify_user */
    with before as materialized (
      select id, verified_at is not null as verified from users where email = ${email} for no key update
    ), person as (
      update users u set verified_at = coalesce(u.verified_at, to_timestamp(${Math.floor(now() / 1000)}))
      from before b where u.id = b.id
      returning u.id, b.verified
    ), event as (
      ${intoOutbox(call.by)} id, 'events.users.verified', jsonb_build_object('user_id', id)
      from person where not verified
    )
    select id from person`
  if (!user) throw refusal('unknown_reference', { path: ['email'], message: 'There is no such user.' })
  eventWritten()
  return { body: { id: user.id } }
}
