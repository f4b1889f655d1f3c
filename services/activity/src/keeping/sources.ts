/**
 * Which replica reads the outbox of a service. Two who read it at once would do no harm (`keepEvents`), but the work twice. Times are
 * those of the database: replicas agree on no other clock.
 */
import type { Sql } from '@svc/runtime/database'

export const leaseMs = 10_000

/** Takes the lease, or renews it. */
export async function holdSource(sql: Sql, name: string, holder: string): Promise<boolean> {
  const held = await sql`/* activity.hold_source */
    insert into sources as s (name, holder, until)
    select ${name}, ${holder}, now() + make_interval(secs => ${leaseMs / 1000})
    -- The others only look: a conflict locks the row.
    where not exists (select from sources where name = ${name} and holder <> ${holder} and until > now())
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where s.holder = excluded.holder or s.until <= now()
    returning name`
  return held.length > 0
}

export const leaveSource = (sql: Sql, name: string, holder: string) => sql`/* activity.leave_source */
  update sources set until = now() where name = ${name} and holder = ${holder}`
