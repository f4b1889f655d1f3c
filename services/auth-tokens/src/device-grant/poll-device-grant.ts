import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Permission } from '@svc/contract/core/permissions'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { granted } from './granted.ts'
import { maxPollInterval, pollToleranceSeconds, slowDownSeconds } from './device-codes.ts'
import { eventOfOwnStarted } from '../sessions/session-events.ts'
import { endSurplusSessions, insertSession, newSession, surplusOf } from '../sessions/new-session.ts'
import { methods } from '../sessions/proof.ts'
import { isAlive } from '../sessions/session-lifetime.ts'

interface PollDeviceGrantResult {
  client_known: boolean
  known: boolean
  expired: boolean
  decision: 'approved' | 'denied' | null
  expires_at: number | null
  scope: Permission[] | null
  workspace_id: string | null
  surplus_of: string | null
  too_soon: boolean
}

/**
 * RFC 8628, 3.4 and 3.5. The decision is checked before the interval, so that a client which polls too often still
 * gets its token. One conditional update consumes an approved code, so only one poll opens the session. Both
 * updates re-read the row if another poll or the decision came between. Locks are taken in this order: first the
 * person, so that a new password, which ends the sessions of the old one, or another session comes entirely before
 * or after; then the approving session, which must be alive; then the grant. Ending a session locks in the same
 * order and deletes its grants.
 */
export const pollDeviceGrant: Handler<typeof authTokens.operations.poll_device_grant, Deps> = async (
  { body: { device_code_hash, client_id, origin } },
  _caller,
  { sql, now, recall, eventWritten, call },
) => {
  const at = now() / 1000
  const session = newSession(now())
  const [outcome] = await sql<PollDeviceGrantResult>`/* auth_tokens.poll_device_grant */
    with asked as (
      select id, decision, entered_by, session_id, expires_at <= to_timestamp(${at}) as expired
      from device_grants
      where device_code_hash = decode(${device_code_hash}, 'hex') and client_id = ${client_id}
    ), person as materialized (
      select u.id, u.email from asked join users u on u.id = asked.entered_by where asked.decision = 'approved'
      for no key update of u
    ), approver as materialized (
      select s.id, ${methods} as amr
      from person cross join asked join sessions s on s.id = asked.session_id and ${isAlive(at)}
      for key share of s
    ), consumed as (
      update device_grants g set consumed_at = to_timestamp(${at})
      from asked, approver
      where g.id = asked.id and g.decision = 'approved' and g.consumed_at is null
        -- Whoever approves in the last seconds was told that the device goes on: its next poll may be on its way.
        and greatest(g.expires_at, g.decided_at + make_interval(secs => ${maxPollInterval})) > to_timestamp(${at})
      returning g.entered_by, g.client_id, approver.amr, g.scope, g.can, g.workspace_id,
        date_trunc('second', g.decided_at) + make_interval(secs => g.lifetime_seconds) as ends_at
    ), opened as (
      ${insertSession(session, {
        user: fragment`entered_by`,
        client: fragment`client_id`,
        origin,
        // Its person has confirmed the approval, and nothing that the device does (docs/specification.md, R93).
        authTime: fragment`to_timestamp(0)`,
        amr: fragment`amr`,
        narrowed: true,
      })}
      from consumed
      returning id, user_id, client_id, unix_seconds(expires_at) as expires_at, workspace_id
    ), event as (
      ${eventOfOwnStarted(call.by, session.id)} join (select id as approver, email from person) by_whom on approver = user_id
    ), polled as (
      update device_grants g set
        polled_too_soon = coalesce(
          g.polled_at > to_timestamp(${at}) - make_interval(secs => g.interval_seconds - ${pollToleranceSeconds}), false
        ),
        interval_seconds = case
          when g.polled_at > to_timestamp(${at}) - make_interval(secs => g.interval_seconds - ${pollToleranceSeconds})
          then least(g.interval_seconds + ${slowDownSeconds}, ${maxPollInterval})
          else g.interval_seconds
        end,
        polled_at = greatest(g.polled_at, to_timestamp(${at}))
      from asked
      where g.id = asked.id and g.decision is null and g.expires_at > to_timestamp(${at})
      returning g.polled_too_soon
    )
    select exists (select from oauth_clients where id = ${client_id}) as client_known,
      exists (select from asked) as known, (select expired from asked) as expired,
      (select decision from asked) as decision, (select expires_at from opened) as expires_at,
      (select to_json(scope) from consumed) as scope, (select workspace_id from opened) as workspace_id,
      (select ${endSurplusSessions(session)} from opened) as surplus_of,
      coalesce((select polled_too_soon from polled), false) as too_soon`
  await recall(...surplusOf(outcome?.surplus_of))
  if (!outcome?.client_known) return { body: { outcome: 'invalid_client' } }
  const { expires_at, scope, workspace_id } = outcome
  if (expires_at !== null) {
    eventWritten()
    return {
      body: {
        outcome: 'approved',
        session_token: session.token,
        ...granted({ scope, workspace_id }),
        expires_in: expires_at - session.created_at,
      },
    }
  }
  return { body: { outcome: refusalOf(outcome) } }
}

function refusalOf({ known, expired, decision, too_soon }: PollDeviceGrantResult) {
  if (!known) return 'invalid_grant'
  if (decision === 'denied') return 'access_denied'
  // An approved code without a new session has been used before, unless it came too late.
  if (expired) return 'expired_token'
  if (decision === 'approved') return 'invalid_grant'
  return too_soon ? 'slow_down' : 'authorization_pending'
}
