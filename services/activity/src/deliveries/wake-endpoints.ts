/** Finds the endpoints that want new events in all workspaces; one replica at a time does it for all. */
import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'

const lookedAt = 10_000

/** Whether an endpoint with `event_types` wants events of the type `type`. */
export const isWanted = fragment`event_types ?| array[type, split_part(type, '.', 1) || '.*']`

/**
 * Positions are committed in order, so everything up to the last one is visible. Endpoints that wait for something
 * else are skipped: they look by themselves when they have room. How many workspaces are in new events is not known to the
 * planner; `offset 0` and the array keep it from reading all endpoints.
 *
 * @param at Unix seconds
 * @returns whether there are more events
 */
export async function wakeEndpoints(sql: Sql, at: number): Promise<boolean> {
  const [moved] = await sql<{ more: boolean }>`/* activity.wake_endpoints */
  with reached as materialized (
    select w.position as since, coalesce(n.position, p.position) as until, n.position is not null as more
    from last_position p, webhook_wakes w left join lateral (
      select position from events where position > w.position order by position offset ${lookedAt} limit 1
    ) n on true
    where w.only_row and p.only_row and w.position < p.position
    for update of w skip locked
  ), fresh as materialized (
    select distinct e.workspace_id, e.type
    from reached r, events e
    where e.position > r.since and e.position <= r.until and not e.audit_only and e.workspace_id <> ''
  ), interested as materialized (
    select w.id
    from webhook_endpoints w
    where w.id = any (array(
      select e.id from fresh f cross join lateral (
        select id, event_types from webhook_endpoints
        where workspace_id = f.workspace_id and state = 'active' and not woken and not is_full
          and (rest_until is null or rest_until <= to_timestamp(${at}))
        offset 0
      ) e
      where ${isWanted}
    ))
    order by w.id
    for no key update of w
  ), woken as (
    update webhook_endpoints w set woken = true, due_at = least(w.due_at, to_timestamp(${at}))
    from interested i where w.id = i.id
  )
  update webhook_wakes w set position = r.until from reached r where w.only_row
  returning r.more`
  return moved?.more ?? false
}
