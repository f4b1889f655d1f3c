/** What a database from a backup needs before services use it: docs/running/backup.md. Run by an administrator, any number of times. */
import { schemaOf } from '@svc/contract/manifest'
import { publishers } from '@svc/contract/publishers'
import type postgres from 'postgres'

/** More events than are ever written between a backup and the loss. */
const skipped = 1_000_000_000

/**
 * - Events: consumers ignore a `sequence` that is not above the last one they heard of its aggregate, and may have heard some
 *   that the backup does not know. So numbers go on far above those, and so do the positions of what the service activity keeps.
 * - Leases: whatever gateways were granted, they were by a database that is no more. A timeline that nobody has seen makes
 *   recalls wait until every such grant has ended; a server that was made anew begins with the number of the old one.
 */
export async function finishRestore(sql: postgres.Sql): Promise<void> {
  for (const { name } of publishers) {
    const role = schemaOf(name)
    await sql`/* runtime.skip_event_numbers */
      select setval(pg_get_serial_sequence(${`${role}.outbox`}, 'sequence'), s.last_value + ${skipped})
      from ${sql(role)}.outbox_sequence_seq s`
  }
  await sql`/* runtime.skip_positions */ update activity.last_position set position = position + ${skipped}`
  await sql`/* runtime.release_sources */ update activity.sources set until = now()`
  await sql`/* runtime.forget_lease_holders */ delete from auth_tokens.lease_holders`
  await sql`/* runtime.forget_lease_timelines */ delete from auth_tokens.lease_timelines`
  // A dump has no statistics.
  await sql`/* runtime.analyze */ analyze`
}
