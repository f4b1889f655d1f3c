/** Stores each event of an outbox once, however often it is read. */
import { auditTypes } from '@svc/contract/events'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import type { Sql } from '@svc/runtime/database'

/** First parts of the types that concern a person, in all of their workspaces. */
export const personKinds: readonly string[] = [
  'sign_ins',
  'sessions',
  'passwords',
  'factors',
  'device_grants',
]

/** First parts of the other types that only the audit log shows. */
const operatorKinds = ['users', 'oauth_clients', 'signing_keys', 'mail_preferences', 'secrets']

/** More than a failover to a replica that was behind can lose. */
const skippedAfterFailover = 1_000_000

/**
 * Stores events in order and commits them in the order of their positions: the row of the last position is locked
 * meanwhile. Concurrent readers of an outbox store the same events in the same order, so the later one stores the
 * rest.
 *
 * @param events no event of a person after one of a membership, which counts for later calls
 * @returns how many are new
 */
export async function keepEvents(sql: Sql, events: readonly ReadEvent[]): Promise<number> {
  const [kept] = await sql<{ count: number }>`/* activity.keep_events */
    with given as materialized (
      select ordinal, e.id, e.type, e.aggregate_id, e.sequence, e.request_id, e.address,
        to_timestamp(e.created_ms / 1000.0) as created_at, e.data::json as data, e.actor::json as actor, e.changes::json as changes
      from jsonb_array_elements(${sql.json(events)}) with ordinality as a (event, ordinal),
        lateral jsonb_to_record(event) as e (
          id text, type text, aggregate_id text, sequence bigint, created_ms bigint, data text, actor text,
          request_id text, address text, changes text
        )
    ), counter as materialized (
      update last_position set
        position = position + (select count(*) from given)
          + case when last_position.timeline in ('', now_on.timeline) then 0 else ${skippedAfterFailover}::int end,
        timeline = now_on.timeline
      from (select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline) now_on
      where only_row
      returning position - (select count(*) from given) as before
    ), told as materialized (
      select distinct on (user_id, workspace_id) data ->> 'user_id' as user_id, data ->> 'workspace_id' as workspace_id,
        type <> 'members.removed' as is_member, sequence
      from given
      where type in ('members.added', 'members.updated', 'members.removed')
        and data ->> 'user_id' is not null and data ->> 'workspace_id' is not null
      order by user_id, workspace_id, sequence desc
    ), known as (
      insert into members as m (user_id, workspace_id, since, until, sequence)
      select user_id, workspace_id, sequence, case when not is_member then sequence end, sequence from told
      on conflict (user_id, workspace_id) do update set
        since = case when m.until is null or excluded.until is not null then m.since else excluded.since end,
        until = excluded.until, sequence = excluded.sequence
      where m.sequence < excluded.sequence
    ), kept as (
      insert into events (
        position, workspace_id, id, type, aggregate_id, sequence, created_at, data, actor, actor_id, credential_id, request_id,
        address, changes, audit_only
      )
      select c.before + g.ordinal, w.id, g.id, g.type, g.aggregate_id, g.sequence, g.created_at, g.data,
        case when own then g.actor else json_build_object(
          'kind', g.actor -> 'kind', 'id', null, 'name', null, 'credential_id', null, 'workspace_id', g.actor -> 'workspace_id'
        ) end,
        case when own then g.actor ->> 'id' end,
        case when own then g.actor ->> 'credential_id' end,
        case when own then g.request_id end,
        case when own then g.address end,
        g.changes, split_part(g.type, '.', 1) = any (${[...personKinds, ...operatorKinds]}::text[]) or g.type = any (${[...auditTypes]}::text[])
      from given g, counter c, lateral (
        select g.data ->> 'workspace_id' as id where g.data ->> 'workspace_id' is not null
        union
        select g.data ->> 'customer_workspace_id' where g.data ->> 'customer_workspace_id' is not null
        union
        select m.workspace_id from members m
        where split_part(g.type, '.', 1) = any (${personKinds}::text[]) and m.user_id = g.data ->> 'user_id'
          and m.since < g.sequence and (m.until is null or g.sequence < m.until)
        union
        select '' where g.data ->> 'workspace_id' is null
      ) w,
      -- Of the two sides of an order, only the one in which they acted sees who they are.
      lateral (
        select g.data ->> 'customer_workspace_id' is null or g.actor ->> 'kind' = 'system'
          or g.actor ->> 'workspace_id' is not distinct from w.id as own
      ) s
      order by g.ordinal
      on conflict (workspace_id, id, created_at) do nothing
      returning workspace_id, type, created_at, audit_only
    ), counted as (
      insert into event_counts as n (workspace_id, type, day, count)
      select workspace_id, type, (created_at at time zone 'UTC')::date as day, count(*)
      from kept where not audit_only group by workspace_id, type, day
      on conflict (workspace_id, type, day) do update set count = n.count + excluded.count
    )
    select count(*)::int as count from kept`
  return kept?.count ?? 0
}
