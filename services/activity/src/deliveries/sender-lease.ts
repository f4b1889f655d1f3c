/**
 * That this process is there, said once a second: when it dies, what it held is due again at once, and not only when the lease of each
 * endpoint is over. Times are those of the database.
 */
import type { Sql } from '@svc/runtime/database'

/** Lease of the process. It outlives some failed renewals. */
export const senderLeaseSeconds = 6

/**
 * Renews it, and leaves the endpoints of those who did not renew theirs: they count no more as soon as somebody claims one.
 *
 * @param at Unix seconds
 * @returns how many endpoints were left
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

export const leaveSender = (sql: Sql, sender: string) =>
  sql`/* activity.leave_sender */ delete from webhook_senders where id = ${sender}`
