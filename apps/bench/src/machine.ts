/** The machine of the measurement. */
import { cpus, totalmem } from 'node:os'

export interface Machine {
  readonly date: string
  readonly cores: number
  readonly cpu: string
  readonly memory_gb: number
  readonly node: string
  readonly postgres: string
  readonly nats: string
}

export const describeMachine = (servers: Pick<Machine, 'postgres' | 'nats'>): Machine => ({
  date: new Date().toISOString(),
  cores: cpus().length,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  memory_gb: Math.round(totalmem() / 1e8) / 10,
  node: process.versions.node,
  ...servers,
})

export const machineLine = ({ date, cores, cpu, memory_gb, node, postgres, nats }: Machine): string =>
  `${date.slice(0, 10)}, ${cores} × ${cpu}, ${memory_gb} GB, Node.js ${node}, PostgreSQL ${postgres}, NATS ${nats}`
