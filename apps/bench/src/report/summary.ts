/** Medians over the rounds, and each variant compared with the first of its cell. */
import type { Use } from '../load/meter.ts'
import type { Rates } from '../load/window.ts'
import type { Workload } from '../load/workloads.ts'
import { median, mediansByName, ratio } from './statistics.ts'
import { groupBy } from './table.ts'

interface Of {
  readonly workload: Workload
  readonly connections: number
  readonly variant: string
  /** The variant of the cell with which the others are compared. */
  readonly base: string
}

/** One window, and its variant. */
export interface WindowRecord extends Of, Rates, Use {
  readonly round: number
}

export type Figure = 'per_second' | 'p50_ms' | 'p99_ms' | 'cpu_total_us'

export interface Summary extends Of, Omit<Rates, 'seconds' | 'requests'>, Use {
  readonly rounds: number
  /** The base's figure divided by this one's. */
  readonly ratios?: Readonly<Partial<Record<Figure, number>>>
}

export function summarise(windows: readonly WindowRecord[]): Summary[] {
  const keyOf = ({ workload, connections, variant }: WindowRecord) => `${workload} ${connections} ${variant}`
  const summaries = groupBy(windows, keyOf).map(mediansOf)
  return summaries.map(summary => {
    const base = find(summaries, { ...summary, variant: summary.base })
    if (!base || base === summary) return summary
    const of = (figure: Figure) => ({ [figure]: ratio(base[figure], summary[figure]) })
    return {
      ...summary,
      ratios: { ...of('per_second'), ...of('p50_ms'), ...of('p99_ms'), ...of('cpu_total_us') },
    }
  })
}

export const find = (
  summaries: readonly Summary[],
  { workload, connections, variant }: Pick<Summary, 'workload' | 'connections' | 'variant'>,
): Summary | undefined =>
  summaries.find(
    other => other.workload === workload && other.connections === connections && other.variant === variant,
  )

const figures = ['per_second', 'p50_ms', 'p99_ms', 'max_ms', 'cpu_total_us', 'others_share'] as const
const records = ['cpu_us', 'measuring_us', 'resident_mb'] as const

function mediansOf(windows: readonly WindowRecord[]): Summary {
  const { workload, connections, variant, base } = windows[0] as WindowRecord
  const medians = [
    ...figures.map(name => [name, median(windows.flatMap(window => window[name] ?? []))]),
    ...records.map(name => [
      name,
      mediansByName(windows.flatMap(window => (window[name] ? [window[name]] : []))),
    ]),
  ]
  // Without /proc some have no value in any window.
  const known = medians.filter(([name]) => windows.some(window => window[name as keyof Use] !== undefined))
  return {
    ...{ workload, connections, variant, base, rounds: windows.length },
    ...(Object.fromEntries(known) as Rates & Use),
  }
}
