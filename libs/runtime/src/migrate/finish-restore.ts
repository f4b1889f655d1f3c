/**
 * What a restored database needs before services use it: docs/running/backup.md. An administrator may run it any
 * number of times.
 */
import { schemaOf } from '@svc/contract/manifest'
import { publishers } from '@svc/contract/publishers'
import type postgres from 'postgres'

/** More events than are ever written between a backup and the loss. */
const skipped = 1_000_000_000

/**
 * - Events: consumers ignore a `sequence` that is not above the last one of its aggregate, and may have received
 * some after the backup. So numbers continue far above those, and so do the positions that the service activity
 * stores.
 * - Leases: gateways may hold grants from the lost database. With a new timeline, recalls wait until every such
 * grant has ended; a new server would otherwise begin with the number of the old one.
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
