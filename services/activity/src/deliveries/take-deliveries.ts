/** Creates and selects the deliveries that are due at an endpoint. */
import type { Sql } from '@svc/runtime/database'
import { type Claimed, isFailing, leaseMs } from './claim-endpoints.ts'
import { isWanted } from './wake-endpoints.ts'

/**
 * Pending deliveries that wait only for the endpoint, and in all, including those behind another one of their
 * aggregate.
 */
const maxOpen = 100
const maxOpenInAll = 1000
/** How many manual attempts at ended deliveries are taken at once; the others follow. */
const maxManual = 100
const scanned = 1000

export interface Delivery {
  readonly event_id: string
  readonly aggregate_id: string
  readonly body: string
  readonly step: number
  readonly asked: boolean
  readonly test: boolean
}

export interface Taken {
  readonly url: string
  readonly failing: boolean
  /** In the order of events within each aggregate, without those that the caller already has in hand. */
  readonly deliveries: readonly Delivery[]
  /** The endpoint is held. If not, there is nothing to do now, and it was released. */
  readonly held: boolean
}

/**
 * Makes deliveries of the next events while there is room, and moves the endpoint's position past them, in one
 * statement. An event waits while another one of its aggregate awaits its next attempt.
 *
 * @param at Unix seconds
 * @param inHand ids of the events in progress at the caller
 * @returns undefined if somebody else holds the endpoint, or it was deleted
 */
export async function takeDeliveries(
  sql: Sql,
  { id, turn }: Claimed,
  { at, inHand }: { at: number; inHand: readonly string[] },
): Promise<Taken | undefined> {
  const [taken] = await sql<Taken>`/* activity.take_deliveries */
    with endpoint as materialized (
      select w.id, w.workspace_id, w.url, w.event_types, w.position, p.position as last_position, w.woken,
        w.state = 'active' and (w.rest_until is null or w.rest_until <= to_timestamp(${at})) as may_send,
        w.state = 'active' as is_active, ${isFailing} as failing, w.rest_until
      from webhook_endpoints w, last_position p
      where w.id = ${id} and w.turn = ${turn} and p.only_row
      for no key update of w
    ), open as materialized (
      select d.event_id, d.position, d.aggregate_id, d.body, d.step, d.asked_at is not null as asked,
        first_value(d.next_at) over of_aggregate as ready_at,
        row_number() over of_aggregate > 1 and first_value(d.step) over of_aggregate > 0 as is_behind
      from endpoint e join webhook_deliveries d on d.endpoint_id = e.id
      where d.state = 'pending'
      window of_aggregate as (partition by d.aggregate_id order by d.position)
    ), asked as materialized (
      select d.event_id, d.position, d.aggregate_id, d.body, d.step
      from endpoint e join webhook_deliveries d on d.endpoint_id = e.id
      where d.asked_at is not null and d.state <> 'pending'
      order by d.position
      limit ${maxManual}
    ), room as materialized (
      select greatest(0, least(
        ${maxOpen}::int - count(*) filter (where not is_behind), ${maxOpenInAll}::int - count(*)
      )) as free
      from open
    ), looked_at as materialized (
      select v.*
      from endpoint e, room r, lateral (
        select position, id, type, aggregate_id, sequence, created_at, data, audit_only
        from events
        where workspace_id = e.workspace_id and position > e.position and position <= e.last_position
        order by position
        limit ${scanned}
      ) v
      where e.may_send and r.free > 0
    ), wanted as materialized (
      select l.*, e.id as endpoint_id, e.workspace_id
      from looked_at l, endpoint e
      where not audit_only and ${isWanted}
      order by l.position
      limit (select free from room)
    ), reached as materialized (
      select case
        when not e.may_send or r.free = 0 then e.position
        when (select count(*) from wanted) >= r.free then (select max(position) from wanted)
        when (select count(*) from looked_at) = ${scanned} then (select max(position) from looked_at)
        else greatest(e.position, e.last_position)
      end as position, (select count(*) from wanted) >= r.free as is_full
      from endpoint e, room r
    ), added as (
      insert into webhook_deliveries (
        endpoint_id, event_id, position, type, aggregate_id, body, event_created_at, next_at, created_at
      )
      select endpoint_id, id, position, type, aggregate_id, json_build_object(
          'id', id, 'type', type, 'created_at', unix_seconds(created_at), 'workspace_id', workspace_id,
          'aggregate_id', aggregate_id, 'sequence', sequence, 'data', data
        ), created_at, to_timestamp(${at}), to_timestamp(${at})
      from wanted
      returning event_id, position, aggregate_id, body
    ), due as materialized (
      select event_id, position, aggregate_id, body, step, asked
      from open
      where (asked or (ready_at <= to_timestamp(${at}) and (select may_send from endpoint)))
        and event_id <> all (${inHand}::text[])
      union all
      select event_id, position, aggregate_id, body, step, true
      from asked where event_id <> all (${inHand}::text[])
      union all
      select event_id, position, aggregate_id, body, 0, false
      from added a
      where not exists (
        select from open o where o.aggregate_id = a.aggregate_id and o.ready_at > to_timestamp(${at})
      )
    ), next as materialized (
      select exists (select from due) or cardinality(${inHand}::text[]) > 0
          or (e.may_send and not r.is_full and r.position < e.last_position) as held,
        case
          when e.woken then to_timestamp(${at})
          when not e.is_active then 'infinity'
          else greatest(e.rest_until, least(
            -- Unless it is woken: so that it does not fall too far behind what it does not want.
            to_timestamp(${at + 3600 * (1 + Math.random() / 5)}), (select min(ready_at) from open)
          ))
        end as due_at
      from endpoint e, reached r
    ), kept as (
      update webhook_endpoints w set
        position = r.position, is_full = r.is_full,
        holder = case when n.held then w.holder end,
        held_until = case when n.held then h.held_until else now() end,
        due_at = case when n.held then h.due_at else n.due_at end
      from next n, reached r, (
        select now() + make_interval(secs => ${leaseMs / 1000}) as held_until,
          to_timestamp(${at + leaseMs / 1000}) as due_at
      ) h
      where w.id = ${id}
    )
    select e.url, e.failing, n.held, coalesce((
        select json_agg(json_build_object(
          'event_id', event_id, 'aggregate_id', aggregate_id, 'body', body, 'step', step, 'asked', asked,
          'test', position = 0
        ) order by position) from due
      ), '[]') as deliveries
    from endpoint e, next n`
  return taken
}
