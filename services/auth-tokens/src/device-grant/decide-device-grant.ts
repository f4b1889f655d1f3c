import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { maskOf, permissions } from '@svc/contract/core/permissions'
import type { Handler } from '@svc/contract/core/operation'
import { refuseStale } from '@svc/contract/core/refuse-caller'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { isAlive } from '../sessions/session-lifetime.ts'

/**
 * One conditional update, bound to the account that entered the code: the first of two decisions counts. An
 * approval gives no more than was asked for, which no decision has changed yet, and a workspace only to a member
 * (docs/specification.md, R87). It depends on the session that gave it. The session is locked before the grant, as when a session ends.
 */
export const decideDeviceGrant: Handler<typeof authTokens.operations.decide_device_grant, Deps> = async (
  { body: { grant_id, decision, permissions: chosen = null, workspace_id = null, expires_in = null } },
  caller,
  { sql, now, eventWritten, call },
) => {
  const at = now() / 1000
  const user = personOf(caller)
  const stale = decision === 'approved' ? refuseStale(caller, at) : undefined
  if (stale) throw stale
  const [outcome] = await sql<{
    decided_now: boolean
    expired: boolean | null
    too_wide: boolean | null
  }>`/* auth_tokens.decide_device_grant */
    with session as materialized (
      select s.id from sessions s where s.id = ${caller.id} and s.user_id = ${user} and ${isAlive(at)} for key share
    ), known as (
      select g.id, g.decision is null and g.expires_at <= to_timestamp(${at}) as expired, given.*,
        ${decision}::text = 'approved' and not (
          (g.scope is null or given.scope <@ g.scope)
          and (g.workspace_id is null or given.workspace_id = g.workspace_id)
          and (g.lifetime_seconds is null or given.lifetime_seconds <= g.lifetime_seconds)
          and (given.workspace_id is null or exists (
            select from memberships m where m.user_id = ${user} and m.workspace_id = given.workspace_id
          ))
        ) as too_wide
      from session, device_grants g,
        lateral (select coalesce(${workspace_id}, g.workspace_id) as workspace_id) bound,
        lateral (
          select bound.workspace_id,
            coalesce(${chosen}::text[], g.scope, case when bound.workspace_id is not null then ${[...permissions]}::text[] end) as scope,
            coalesce(
              ${chosen ? maskOf(chosen) : null}, g.can, case when bound.workspace_id is not null then ${maskOf(permissions)} end
            ) as can,
            coalesce(${expires_in}::int, g.lifetime_seconds) as lifetime_seconds
        ) given
      where g.id = ${grant_id} and g.entered_by = ${user}
    ), decided_now as (
      update device_grants g set decision = ${decision}, decided_at = to_timestamp(${at}),
        session_id = case when ${decision}::text = 'approved' then session.id end,
        scope = known.scope, can = known.can, workspace_id = known.workspace_id, lifetime_seconds = known.lifetime_seconds
      from session, known
      where g.id = known.id and not known.too_wide and g.entered_by = ${user} and g.decision is null
        and g.expires_at > to_timestamp(${at})
      returning g.id, g.client_id, g.entered_by, g.decision, g.scope, g.workspace_id, g.lifetime_seconds
    ), event as (
      ${intoOutbox(call.by)} id, 'events.device_grants.' || ${decision}::text,
        jsonb_build_object('user_id', entered_by, 'client_id', client_id)
          || case when decision = 'approved' then jsonb_build_object('granted', jsonb_build_object(
            'permissions', scope, 'workspace_id', workspace_id, 'expires_in', lifetime_seconds
          )) else '{}' end
      from decided_now
    )
    select exists (select from decided_now) as decided_now, (select expired from known) as expired,
      (select too_wide from known) as too_wide`
  if (outcome?.decided_now) {
    eventWritten()
    return { body: { outcome: decision } }
  }
  if (typeof outcome?.expired !== 'boolean') return { body: { outcome: 'unknown' } }
  if (outcome.expired) return { body: { outcome: 'expired' } }
  // Neither decided by this call nor too wide: another call has decided it.
  return { body: { outcome: outcome.too_wide ? 'too_wide' : 'decided' } }
}
