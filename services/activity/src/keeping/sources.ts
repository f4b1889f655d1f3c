/**
 * Leases for work that one replica does at a time: reading an outbox, publishing to the stream, requesting mail.
 * Two at once would only do the work twice. Times are those of the database, the only clock on which replicas
 * agree.
 */
import { randomUUID } from 'node:crypto'
import type { Sql } from '@svc/runtime/database'

const leaseMs = 10_000
/** How long a replica ignores a lease that another one holds, however often it is woken. */
const elsewhereMs = 500

export interface Lease {
  /**
   * Takes or renews the lease if necessary. Resolves to whether this replica has it, for at least half of its time.
   */
  hold(): Promise<boolean>
  leave(): Promise<unknown>
}

export function createLease(sql: () => Sql, name: string): Lease {
  const holder = randomUUID()
  /** By `performance.now()`; 0: another replica has it, or nobody does. */
  let heldUntil = 0
  let elsewhereUntil = 0
  return {
    async hold() {
      const at = performance.now()
      if (at < heldUntil - leaseMs / 2) return true
      if (at < elsewhereUntil) return false
      heldUntil = (await holdSource(sql(), name, holder)) ? at + leaseMs : 0
      if (heldUntil === 0) elsewhereUntil = at + elsewhereMs
      return heldUntil > 0
    },
    leave: async () => heldUntil > 0 && releaseSource(sql(), name, holder).catch(() => {}),
  }
}

async function holdSource(sql: Sql, name: string, holder: string): Promise<boolean> {
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

const releaseSource = (sql: Sql, name: string, holder: string) => sql`/* activity.release_source */
  update sources set until = now() where name = ${name} and holder = ${holder}`
