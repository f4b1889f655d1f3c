import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'

export const migrationLock = '7241865325823964'

const pauseMs = 100

/**
 * Runs `work` in a transaction that has the lock. Waiting replicas ask again and again, each time in a new
 * transaction: waiting inside one, they could take all the server connections of a pooler, and the lock's owner
 * could not go on.
 */
export async function underMigrationLock<T>(
  sql: postgres.Sql,
  work: (tx: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  for (;;) {
    const done = await sql.begin(async tx => {
      const [lock] =
        await tx`/* runtime.try_migration_lock */ select pg_try_advisory_xact_lock(${migrationLock}::bigint) as is_mine`
      return lock?.is_mine ? { result: await work(tx) } : undefined
    })
    if (done) return done.result as T
    await sleep(pauseMs)
  }
}
