/**
 * Heartbeat, once a second: when a process dies, its endpoints are due again at once, and not only when their
 * leases expire. Uses the database's clock.
 */
import type { Sql } from '@svc/runtime/database'

/** Outlives some failed renewals. */
export const senderLeaseSeconds = 6

/**
 * Renews the heartbeat, and releases the endpoints of processes whose heartbeat has expired.
 *
 * @param at Unix seconds
 * @returns how many endpoints were released
 */
export async function renewSender(sql: Sql, sender: string, at: number): Promise<number> {
  const [row] = await sql<{ released: number }>`/* activity.renew_sender */
    with own as (
      insert into webhook_senders as s (id, until)
      values (${sender}, now() + make_interval(secs => ${senderLeaseSeconds}))
      on conflict (id) do update set until = excluded.until
    ), dead as (
      delete from webhook_senders where until <= now() and id <> ${sender} returning id
    ), held as materialized (
      select w.id from webhook_endpoints w where w.holder in (select id from dead) order by w.id for no key update
    ), released as (
      update webhook_endpoints w set holder = null, held_until = now(), due_at = to_timestamp(${at})
      from held h where w.id = h.id
      returning 1
    )
    select count(*)::int as released from released`
  return row?.released ?? 0
}

export const releaseSender = (sql: Sql, sender: string) =>
  sql`/* activity.release_sender */ delete from webhook_senders where id = ${sender}`
