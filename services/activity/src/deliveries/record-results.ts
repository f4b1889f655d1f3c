import { bySystem } from '@svc/contract/core/actor'
import type { Sql } from '@svc/runtime/database'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { endpointFields } from '../endpoints/webhook-endpoint.ts'
import type { Claimed } from './claim-endpoints.ts'
import { disableAfterDays, giveUpAfterDays, giveUpAfterStrikes, warnAfterDays } from './schedule.ts'

export interface Result {
  readonly event_id: string
  /** Unix seconds. */
  readonly at: number
  readonly status: number | null
  readonly duration_ms: number
  readonly error: string | null
  readonly slow: boolean
  readonly asked: boolean
  readonly test: boolean
  readonly next_at: number
  /** End of the pause that the endpoint asked for, in Unix seconds. */
  readonly rest_until: number | null
  /** How the answer begins, sealed. */
  readonly answer: string | null
}

export interface Recorded {
  readonly disabled: boolean
  readonly given_up: number
}

const maxShownAttempts = 50

/**
 * Manual attempts do not affect the endpoint's health, except for a redelivery that succeeds. An endpoint is disabled by 410, or after
 * five days in which everything failed; a success makes everything that waits due at once. A failure while the endpoint accepts other
 * events is a strike; a delivery with enough strikes is given up after three days. After a slow attempt, also a manual one, the next
 * attempt takes no slot from healthy endpoints.
 *
 * @param at Unix seconds
 * @returns undefined if another sender holds the endpoint, or it was deleted
 */
export async function recordResults(
  sql: Sql,
  { id, turn }: Claimed,
  results: readonly Result[],
  at: number,
): Promise<Recorded | undefined> {
  const [recorded] = await sql<Recorded>`/* activity.record_results */
    with endpoint as materialized (
      select id, workspace_id, state, failing_since, last_delivered_at, warned, ${endpointFields} as previous
      from webhook_endpoints where id = ${id} and turn = ${turn} for no key update
    ), given as materialized (
      select event_id, to_timestamp(at) as at, status, duration_ms, error, slow, asked, test,
        to_timestamp(next_at) as next_at, to_timestamp(rest_until) as rest_until, answer
      from jsonb_to_recordset(${sql.json(results)}) as r (
        event_id text, at float8, status int, duration_ms int, error text, slow boolean, asked boolean, test boolean,
        next_at float8, rest_until float8, answer text
      )
    ), successes as materialized (
      select max(at) as last_at from given where error is null and not test
    ), failures as materialized (
      select min(at) as first_at, max(at) as last_at, coalesce(bool_or(status = 410), false) as gone
      from given, successes s where error is not null and not asked and (s.last_at is null or at > s.last_at)
    ), health as materialized (
      select e.*, s.last_at as succeeded_at, f.last_at as failed_at, f.gone,
        case when s.last_at is null then coalesce(e.failing_since, f.first_at) else f.first_at end as fails_since,
        -- It was not a delivery of its own that failed.
        coalesce(e.failing_since <= s.last_at - interval '10 minutes', false) as recovered
      from endpoint e, successes s, failures f
    ), verdict as materialized (
      select *, case
          when state <> 'active' then null
          when gone then 'gone'
          when fails_since <= failed_at - make_interval(days => ${disableAfterDays}) then 'failing'
        end as disabled_reason,
        coalesce(
          state = 'active' and not warned and fails_since <= failed_at - make_interval(days => ${warnAfterDays}), false
        ) as warns
      from health
    ), open as materialized (
      select d.event_id as id, v.recovered, g.*,
        -- It failed where others were accepted.
        g.error is not null and not g.asked and d.last_attempt_at < greatest(v.last_delivered_at, v.succeeded_at) as strikes
      from verdict v, given g
      join webhook_deliveries d on d.event_id = g.event_id
      where d.endpoint_id = v.id and (d.state = 'pending' or d.asked_at is not null)
      union all
      select d.event_id, v.recovered, g.*, false
      from verdict v join webhook_deliveries d on d.endpoint_id = v.id and d.state = 'pending' left join given g on false
      where v.recovered and d.event_id not in (select event_id from given)
    ), recorded as (
      update webhook_deliveries d set
        state = case
          when o.error is null and o.at is not null then 'delivered'
          when d.state = 'pending' and o.strikes and d.strikes + 1 >= ${giveUpAfterStrikes}
            and d.first_failed_at <= o.at - make_interval(days => ${giveUpAfterDays}) then 'failed'
          else d.state
        end,
        asked_at = case when not o.asked or o.asked is null then d.asked_at end,
        step = case
          when o.error is not null and not o.asked then d.step + 1
          when o.recovered then 0
          else d.step
        end,
        next_at = case
          when o.error is not null and not o.asked then o.next_at
          when o.recovered then to_timestamp(${at})
          else d.next_at
        end,
        strikes = d.strikes + coalesce(o.strikes, false)::int,
        first_failed_at = case when o.error is not null and not o.asked then coalesce(d.first_failed_at, o.at) else d.first_failed_at end,
        last_attempt_at = coalesce(o.at, d.last_attempt_at),
        answer = case when o.at is null then d.answer else o.answer end,
        attempts = case
          when o.at is null then d.attempts
          else (case when jsonb_array_length(d.attempts) >= ${maxShownAttempts} then d.attempts - 0 else d.attempts end)
            || jsonb_build_array(jsonb_build_object(
              'at', unix_seconds(o.at), 'status', o.status, 'duration_ms', o.duration_ms, 'error', o.error
            ))
        end
      from open o where d.endpoint_id = ${id} and d.event_id = o.id
      returning d.state = 'failed' and o.strikes as given_up
    ), changed as (
      update webhook_endpoints w set
        failing_since = v.fails_since,
        slow = (select slow from given order by at desc limit 1),
        last_delivered_at = greatest(w.last_delivered_at, v.succeeded_at),
        rest_until = greatest(w.rest_until, (select max(rest_until) from given where not asked)),
        warned = v.warns or (w.warned and v.succeeded_at is null),
        state = case when v.disabled_reason is null then w.state else 'disabled' end,
        disabled_reason = coalesce(v.disabled_reason, w.disabled_reason),
        mail = case when v.disabled_reason is not null then 'disabled' when v.warns then 'failing' else w.mail end
      from verdict v where w.id = v.id
      returning w.*, v.previous, v.disabled_reason as reason
    ), event as (
      ${intoOutbox(bySystem('deliver_webhooks'), changesOf(endpointFields))}
      id, 'events.webhook_endpoints.disabled', jsonb_build_object('workspace_id', workspace_id, 'reason', reason)
      from changed where reason is not null
    )
    select reason is not null as disabled, (select count(*)::int from recorded where given_up) as given_up from changed`
  return recorded
}
