/** What every command that puts load on the product needs: servers, seed, load generator. */
import { join } from 'node:path'
import type { Cleanup } from './cleanup.ts'
import type { Surroundings } from './commands/command.ts'
import { startProduct } from './contestants/product.ts'
import { startLoadGenerator } from './load/load-generator.ts'
import type { Instruments } from './load/window.ts'
import type { Seed } from './load/workloads.ts'
import { describeMachine, type Machine } from './machine.ts'
import { fillSeed, finishSeed, seedName } from './seed.ts'
import { natsVersion, type Servers, startServers } from './servers.ts'

export interface Scene {
  readonly servers: Servers
  readonly seed: Seed
  readonly machine: Machine
  readonly instruments: Instruments
  readonly cleanup: Cleanup
}

// PostgreSQL's background work would fall into the window of whatever is being measured. So checkpoints are made
// between windows, and tables are emptied before they would need a vacuum.
export const calmPostgres = {
  max_connections: '600',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '16GB',
}

/**
 * @param connections the maximum number
 * @param settings of PostgreSQL
 * @param onLog takes the lines of its log
 */
export async function setScene(
  { cleanup, say }: Pick<Surroundings, 'cleanup' | 'say'>,
  connections: number,
  settings: Record<string, string> = calmPostgres,
  onLog?: (line: string) => void,
): Promise<Scene> {
  say('  … PostgreSQL and the seed')
  const servers = await startServers(cleanup, settings, onLog)
  const { stack } = await startProduct(servers, cleanup, { name: seedName })
  const seed = await fillSeed(stack, join(servers.folder, seedName), Math.max(256, connections))
  const [row] = await servers.sql<{ server_version: string }[]>`show server_version`
  const machine = describeMachine({
    postgres: row?.server_version ?? 'unknown',
    nats: await natsVersion(stack.nats?.port ?? 0),
  })
  // A database with open connections cannot be copied.
  await stack.stop()
  await finishSeed(servers, seed)
  const generator = await cleanup.own(startLoadGenerator, started => started.close())
  const instruments = { generator, postgresPid: servers.postgres.pid, server: servers.sql }
  return { servers, seed, machine, instruments, cleanup }
}
