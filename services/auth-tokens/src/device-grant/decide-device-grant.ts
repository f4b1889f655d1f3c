import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { isAlive } from '../sessions/session-lifetime.ts'

/**
 * One conditional update, bound to the account that entered the code: the first of two decisions counts. An
 * approval depends on the session that gave it. The session is locked before the grant, as when a session ends.
 */
export const decideDeviceGrant: Handler<typeof authTokens.operations.decide_device_grant, Deps> = async (
  { body: { grant_id, decision } },
  caller,
  { sql, now, eventWritten, call },
) => {
  const at = now() / 1000
  const user = personOf(caller)
  const [outcome] = await sql<{
    decided_now: boolean
    expired: boolean | null
  }>`/* auth_tokens.decide_device_grant */
    with session as materialized (
      select s.id from sessions s where s.id = ${caller.id} and s.user_id = ${user} and ${isAlive(at)} for key share
    ), known as (
      select g.decision is null and g.expires_at <= to_timestamp(${at}) as expired
      from session, device_grants g where g.id = ${grant_id} and g.entered_by = ${user}
    ), decided_now as (
      update device_grants g set decision = ${decision}, decided_at = to_timestamp(${at}),
        session_id = case when ${decision}::text = 'approved' then session.id end
      from session
      where g.id = ${grant_id} and g.entered_by = ${user} and g.decision is null and g.expires_at > to_timestamp(${at})
      returning g.id, g.client_id, g.entered_by
    ), event as (
      ${intoOutbox(call.by)} id, 'events.device_grants.' || ${decision}::text,
        jsonb_build_object('user_id', entered_by, 'client_id', client_id)
      from decided_now
    )
    select exists (select from decided_now) as decided_now, (select expired from known) as expired`
  if (outcome?.decided_now) {
    eventWritten()
    return { body: { outcome: decision } }
  }
  if (typeof outcome?.expired !== 'boolean') return { body: { outcome: 'unknown' } }
  // Neither decided by this call nor expired: another call has decided it.
  return { body: { outcome: outcome.expired ? 'expired' : 'decided' } }
}
