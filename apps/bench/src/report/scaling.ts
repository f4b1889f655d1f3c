/** What replicas brought: a table for each service, in units of one replica in the same round. */
import type { Measured } from '../load/window.ts'
import type { Workload } from '../load/workloads.ts'
import { median, ratio, sum } from './statistics.ts'
import { decimals, groupBy, percent, table, whole } from './table.ts'
import { judge, type Target } from './targets.ts'

export interface Step extends Measured {
  /** What is scaled. */
  readonly name: string
  readonly services: readonly string[]
  readonly workload: Workload
  readonly replicas: number
  readonly round: number
  /** A share of one core, for each replica. */
  readonly quota: number
}

/** µs per request of all replicas of a service; with an empty name of all. */
export const costOf = (service: string, cpu: Readonly<Record<string, number>> = {}): number =>
  sum(
    Object.entries(cpu).flatMap(([name, us]) =>
      service === '' || name.replace(/-\d+$/, '') === service ? us : [],
    ),
  )

export function curve(steps: readonly Step[]): string {
  const [{ name, services, workload, quota }] = steps as [Step]
  const rows = byReplicas(steps).map(group => {
    const of = (figure: (step: Step) => number) => median(group.map(figure))
    const cost = (service: string) => of(({ cpu_us }) => costOf(service, cpu_us))
    return [
      String(group[0]?.replicas),
      whole(of(({ per_second }) => per_second)),
      gain(steps, group)?.toFixed(2) ?? '–',
      decimals(of(({ p50_ms }) => p50_ms)),
      decimals(of(({ p99_ms }) => p99_ms)),
      ...services.map(service => whole(cost(service))),
      ...services.map(service =>
        percent(
          of(
            ({ per_second, replicas, cpu_us }) =>
              (costOf(service, cpu_us) * per_second) / (replicas * quota * 1e6),
          ),
        ),
      ),
      whole(cost('nats')),
      whole(cost('postgres')),
      whole(cost('')),
    ]
  })
  const head = [
    ...['replicas', 'req/s', '×', 'p50 ms', 'p99 ms'],
    ...services.map(service => `${service} µs`),
    ...services.map(service => `of ${service}'s quota`),
    ...['NATS µs', 'PostgreSQL µs', 'all µs'],
  ]
  return `## ${name}: ${workload}, ${(quota * 100).toFixed(1)} % of a core each\n\n${table(head, rows)}`
}

/** With the fewest replicas first. */
const byReplicas = (steps: readonly Step[]) =>
  groupBy(
    [...steps].sort((a, b) => a.replicas - b.replicas),
    ({ replicas }) => String(replicas),
  )

/** Requests a second in units of one replica's of the same round. */
function gain(steps: readonly Step[], group: readonly Step[]): number | undefined {
  const gains = group.flatMap(({ per_second, round }) => {
    const one = steps.find(step => step.round === round && step.replicas === 1)
    return ratio(per_second, one?.per_second) ?? []
  })
  return gains.length > 0 ? median(gains) : undefined
}

/** For the chart. */
export const lineOf = (steps: readonly Step[]) => ({
  name: steps[0]?.name ?? '',
  gains: byReplicas(steps).map(group => gain(steps, group) ?? Number.NaN),
})

export function targetsOf(steps: readonly Step[]): Target[] {
  const of = (replicas: number) => steps.filter(step => step.replicas === replicas)
  const p99 = (replicas: number) => median(of(replicas).map(({ p99_ms }) => p99_ms))
  const [{ name }] = steps as [Step]
  const goals = [
    [2, 1.85],
    [4, 3.5],
  ] as const
  return goals.flatMap(([replicas, bound]) => [
    judge({
      name: `${name}: requests/s, ${replicas} replicas ÷ one`,
      bound: { at_least: bound },
      unit: '×',
      figure: gain(steps, of(replicas)),
    }),
    judge({
      name: `${name}: p99, ${replicas} replicas ÷ one`,
      bound: { at_most: 1 },
      unit: '×',
      figure: ratio(p99(replicas), p99(1)),
    }),
  ])
}
