/** How long revocations take with many lease holders, and what the holders cost. */
import type { Machine } from '../machine.ts'
import { studyReport } from './report.ts'
import { percentile, sum } from './statistics.ts'
import { decimals, percent, table, whole } from './table.ts'
import { judge, type Target } from './targets.ts'

export interface SituationRow {
  readonly holders: number
  readonly situation: string
  readonly took_ms: readonly number[]
  readonly failures: readonly string[]
}

/** All in µs a second. */
export interface CpuRow {
  readonly holders: number
  readonly what: string
  readonly cpu_us: Readonly<Record<string, number>>
  readonly holders_us?: number
  readonly others_share?: number
}

const most = 1000
const healthy = 'all are well'
const serving = ['auth-tokens', 'nats', 'postgres'] as const

/** In % of a core, beyond what is spent without holders. */
function shareOf(row: CpuRow, idle: CpuRow | undefined, process: string): number {
  const of = ({ cpu_us }: CpuRow) =>
    sum(Object.entries(cpu_us).flatMap(([name, us]) => (name.startsWith(process) ? us : [])))
  return (of(row) - (idle ? of(idle) : 0)) / 10_000
}

export function fleetTargets(situations: readonly SituationRow[], cpu: readonly CpuRow[]): Target[] {
  const bound = (row: SituationRow): Target[] => {
    const name = `Revocation with ${whole(row.holders)} holders, ${row.situation}`
    const within = (part: number, at_most: number, called: string) =>
      judge({
        name: `${name}: ${called}`,
        bound: { at_most },
        unit: 'ms',
        figure: percentile(row.took_ms, part),
      })
    if (!row.situation.startsWith(healthy)) return [within(100, 3500, 'longest')]
    return row.holders === most ? [within(50, 100, 'p50'), within(99, 500, 'p99')] : []
  }
  const renewing = cpu.find(({ holders, what }) => holders === most && what === 'renewals')
  return [
    ...situations.flatMap(bound),
    judge({
      name: `Renewals of ${whole(most)} holders, CPU of auth-tokens, NATS and PostgreSQL`,
      bound: { at_most: 15 },
      unit: '%',
      figure: renewing && sum(serving.map(name => shareOf(renewing, cpu[0], name))),
    }),
  ]
}

export function fleetReport({
  machine,
  situations,
  cpu,
  targets,
  table: { updates, hot, bytes },
}: {
  readonly machine: Machine
  readonly situations: readonly SituationRow[]
  readonly cpu: readonly CpuRow[]
  readonly targets: readonly Target[]
  readonly table: { readonly updates: number; readonly hot: number; readonly bytes: number }
}): string[] {
  const times = table(
    ['holders', 'situation', 'revocations', 'failed', 'p50 ms', 'p99 ms', 'longest ms'],
    situations.map(({ holders, situation, took_ms, failures }) => [
      ...[whole(holders), situation, whole(took_ms.length), whole(failures.length)],
      ...[50, 99, 100].map(part => decimals(percentile(took_ms, part))),
    ]),
  )
  const shares = table(
    ['holders', 'while', ...serving, 'sum', 'gateway', 'the holders', 'others'],
    cpu.map((row, index) => {
      const idle = index === 0 ? undefined : cpu[0]
      const each = serving.map(name => shareOf(row, idle, name))
      const further = [shareOf(row, idle, 'gateway'), (row.holders_us ?? 0) / 10_000]
      return [
        ...[whole(row.holders), row.what],
        ...[...each, sum(each), ...further].map(share => share.toFixed(1)),
        percent(row.others_share),
      ]
    }),
  )
  return studyReport({
    title: 'A thousand gateways: simulated lease holders, two replicas of auth-tokens, one gateway',
    machine,
    sections: [
      `## \`DELETE /api_tokens/{id}\`\n\n${times}`,
      `## CPU, in % of a core, beyond that of the first row\n\n${shares}`,
      `lease_holders: ${whole(Number(updates))} updates, ${percent(hot / updates)} of them without a new index entry; ${whole(bytes / 1000)} kB at the end.`,
    ],
    targets,
  })
}
