import { waitUntil } from '@svc/local/wait-until'
import type postgres from 'postgres'

/** A transaction in which `work` is done and never committed; others wait for what it has locked. */
export async function holdTransaction(
  sql: postgres.Sql,
  work: (tx: postgres.ReservedSql) => Promise<unknown>,
) {
  const tx = await sql.reserve()
  await tx`begin`
  await work(tx)
  const [own] = await tx`select pg_backend_pid() as pid`
  return {
    someoneWaits: () =>
      waitUntil('someone waits', async () => {
        const waiting = await sql`
          select from pg_stat_activity where ${own?.pid}::int = any(pg_blocking_pids(pid))`
        return waiting.length > 0
      }),
    async release() {
      await tx`rollback`
      tx.release()
    },
  }
}
