/** Which replica sends to an endpoint. */
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** For longer than two attempts take. */
export const leaseMs = 30_000

export interface Claimed {
  readonly id: string
  /** Another one each time that somebody claims it: what an earlier holder says counts no more. */
  readonly turn: number
}

/**
 * Those that are due, the longest waiting first. Endpoints that fail are claimed apart, so that however many there are, they take
 * no room from the others.
 *
 * @param at Unix seconds
 * @param sender by whom: `renewSender`
 */
export const claimEndpoints = (
  sql: Sql,
  { at, sender, healthy, failing }: { at: number; sender: string; healthy: number; failing: number },
): Promise<(Claimed & { failing: boolean })[]> => sql<
  Claimed & { failing: boolean }
>`/* activity.claim_endpoints */
  with healthy as materialized (
    ${dueOf(fragment`failing_since is null`, at, healthy)}
  ), failing as materialized (
    ${dueOf(fragment`failing_since is not null`, at, failing)}
  )
  update webhook_endpoints w set
    turn = w.turn + 1, woken = false, holder = ${sender}, held_until = now() + make_interval(secs => ${leaseMs / 1000}),
    -- Should the holder die, it is due again when its lease is over.
    due_at = to_timestamp(${at + leaseMs / 1000})
  from (select id from healthy union all select id from failing) d where w.id = d.id
  returning w.id, w.turn, w.failing_since is not null as failing`

const dueOf = (which: Fragment, at: number, limit: number): Fragment => fragment`
  select id from webhook_endpoints
  where ${which} and due_at <= to_timestamp(${at}) and held_until <= now()
  order by due_at limit ${limit} for no key update skip locked`

/** Lets others continue at once. */
export const leaveEndpoint = (
  sql: Sql,
  { id, turn }: Claimed,
  at: number,
) => sql`/* activity.leave_endpoint */
  update webhook_endpoints set holder = null, held_until = now(), due_at = to_timestamp(${at}) where id = ${id} and turn = ${turn}`
