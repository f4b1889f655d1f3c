/** What every command that puts load on the product needs: servers, seed, load generator. */
import type { Cleanup } from './cleanup.ts'
import { startLoadGenerator } from './load/load-generator.ts'
import { makeSeed } from './seed.ts'
import { type Servers, startServers } from './servers.ts'
import type { Instruments } from './load/window.ts'
import type { Seed } from './load/workloads.ts'

export interface Scene {
  readonly servers: Servers
  readonly seed: Seed
  readonly instruments: Instruments
  readonly cleanup: Cleanup
}

/** @param connections the maximum number */
export async function setScene(
  cleanup: Cleanup,
  connections: number,
  postgresSettings?: Record<string, string>,
  onPostgresLog?: (line: string) => void,
): Promise<Scene> {
  const servers = await startServers(cleanup, postgresSettings, onPostgresLog)
  const seed = await makeSeed(servers, cleanup, Math.max(256, connections))
  const generator = await cleanup.own(startLoadGenerator, started => started.close())
  const instruments = { generator, postgresPid: servers.postgres.pid, server: servers.sql }
  return { servers, seed, instruments, cleanup }
}
