/** The gateways that may use cached answers: docs/people/leases.md. */
import { leaseMs, waitMarginMs } from '@svc/contract/auth-tokens/leases'
import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'

/** The timeline and when it was first seen; the first statement on a new timeline records it. */
const seenTimeline = fragment`
  current_timeline as materialized (
    select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline
  ), first_seen as (
    insert into lease_timelines (timeline, seen_at) select timeline, clock_timestamp() from current_timeline
    on conflict (timeline) do nothing
  )`

/** How long a failover may have lost grants; for a statement with {@link seenTimeline}. */
const unknownMs = fragment`
  greatest(0, extract(epoch from coalesce(
    (select t.seen_at from lease_timelines t join current_timeline using (timeline)), clock_timestamp()
  ) + make_interval(secs => ${(leaseMs + waitMarginMs) / 1000}) - clock_timestamp()) * 1000)::float8`

export interface RenewedLease {
  readonly id: string
  readonly grant_id: string
  readonly until: number
}

/**
 * Each row is locked before the statement decides whether the lease had ended, and a recall locks it to read it:
 * the recall sees the renewed row, or the renewal sees that it came too late. A grant of another timeline is not
 * renewed, since a failover may have lost its revocation. `until` was computed before the lock, and never
 * decreases.
 */
export const renewLeases = (
  sql: Sql,
  holders: readonly { readonly id: string; readonly grant_id: string }[],
) => sql<RenewedLease>`/* auth_tokens.renew_leases */
  with ${seenTimeline}
  insert into lease_holders as held (id, grant_id, timeline, until)
  select id, grant_id, timeline, clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
  from current_timeline, unnest(
    ${holders.map(({ id }) => id)}::text[], ${holders.map(({ grant_id }) => grant_id)}::text[]
  ) as h (id, grant_id)
  order by id collate "C"
  on conflict (id) do update set
    grant_id = case
      when held.until > clock_timestamp() and not held.struck_out and held.timeline = excluded.timeline
      then held.grant_id else excluded.grant_id
    end,
    timeline = excluded.timeline, until = greatest(held.until, excluded.until), struck_out = false
  returning id, grant_id, (extract(epoch from until) * 1000)::float8 as until`

export interface Holders {
  readonly ids: readonly string[]
  readonly unknown_ms: number
}

/** Locks all rows, ended ones too: one of them may be in the middle of its renewal. */
export async function readHolders(sql: Sql): Promise<Holders> {
  const [found] = await sql<Holders>`/* auth_tokens.read_lease_holders */
    with ${seenTimeline}, holders as materialized (
      select id, until from lease_holders order by id for share
    )
    select ${unknownMs} as unknown_ms, (
      select coalesce(jsonb_agg(id), '[]') from holders
      where until + make_interval(secs => ${waitMarginMs / 1000}) > clock_timestamp()
    ) as ids`
  return found as Holders
}

/**
 * A renewal in progress finds that the lease cannot be renewed, and begins a new one. The rows stay: until the
 * leases have ended, other recalls have to ask these holders, too.
 *
 * @returns for each holder the milliseconds until its lease and the margin have ended; none if it was released
 */
export async function strikeOut(sql: Sql, ids: readonly string[]): Promise<readonly number[]> {
  const [struck] = await sql<{
    lease_ms: Readonly<Record<string, number>>
    unknown_ms: number
  }>`/* auth_tokens.strike_out_lease_holders */
    with ${seenTimeline}, held as materialized (
      select id from lease_holders where id = any (${ids}::text[]) order by id for update
    ), struck as (
      update lease_holders set struck_out = true where id in (select id from held)
      returning id, (extract(epoch from until - clock_timestamp()) * 1000)::float8 as lease_ms
    )
    select (select coalesce(jsonb_object_agg(id, lease_ms), '{}') from struck) as lease_ms,
      ${unknownMs} as unknown_ms`
  const { lease_ms, unknown_ms } = struck as NonNullable<typeof struck>
  return ids.map(id => {
    const ms = lease_ms[id]
    return Math.max(unknown_ms, ms === undefined ? 0 : Math.max(0, ms) + waitMarginMs)
  })
}
