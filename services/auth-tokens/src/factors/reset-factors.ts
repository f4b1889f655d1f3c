import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { byJson, intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'
import { factorNotice } from './factor-notice.ts'

export const resetFactors: Handler<typeof authTokens.operations.reset_factors, Deps> = async (
  { body: { email } },
  _caller,
  { sql, now, recall, eventWritten, messageQueued, call },
) => {
  const [user] = await sql<{ user_id: string }>`/* auth_tokens.reset_factors */
    with person as materialized (
      select id as user_id from users where email = ${email} for no key update
    ), removed as materialized (
      select user_id, remove_factors(user_id) as had_any from person
    ), event as (
      ${intoOutbox(call.by)} user_id, 'events.factors.reset', jsonb_build_object('user_id', user_id)
      from removed where had_any
    )
    select user_id, case when had_any then ${factorNotice('reset', byJson(call.by), now() / 1000)} end from removed`
  if (!user) throw refusal('unknown_reference', { path: ['email'], message: 'There is no such user.' })
  eventWritten()
  messageQueued()
  await recall(userPrincipal(user.user_id))
  return { body: { id: user.user_id } }
}
