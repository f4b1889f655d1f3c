/** The machine of the measurement. */
import { cpus, release, totalmem, type } from 'node:os'
import { pgbenchVersion } from './contestants/pgbench.ts'
import { natsVersion, type Servers } from './servers.ts'

export interface Machine {
  readonly date: string
  readonly cores: number
  readonly cpu: string
  readonly memory_gb: number
  readonly system: string
  readonly node: string
  readonly postgres: string
  readonly nats?: string
  readonly pgbench?: string
}

/** @param natsPort of any NATS server that is measured */
export async function describeMachine({ sql }: Servers, natsPort: number | undefined): Promise<Machine> {
  const [row] = await sql<{ server_version: string }[]>`show server_version`
  return {
    date: new Date().toISOString(),
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 1e8) / 10,
    system: `${type()} ${release()} ${process.arch}`,
    node: process.versions.node,
    postgres: row?.server_version ?? 'unknown',
    nats: natsPort === undefined ? undefined : await natsVersion(natsPort),
    pgbench: pgbenchVersion(),
  }
}

export const machineLine = ({ date, cores, cpu, memory_gb, node, postgres, nats }: Machine): string =>
  `${date.slice(0, 10)}, ${cores} × ${cpu}, ${memory_gb} GB, Node.js ${node}, PostgreSQL ${postgres}, NATS ${nats ?? '–'}`
