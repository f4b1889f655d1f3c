/** Medians over the rounds, and the product compared with its peers. */
import { productName } from '../contestants/contestant.ts'
import { median, mediansByName, ratio } from './statistics.ts'
import type { Measured } from '../load/window.ts'
import type { Workload } from '../load/workloads.ts'

/** One window, and its variant. */
export interface WindowRecord extends Measured {
  readonly workload: Workload
  readonly connections: number
  readonly round: number
  readonly variant: string
}

export interface Summary {
  readonly workload: Workload
  readonly connections: number
  readonly variant: string
  readonly rounds: number
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
  readonly cpu_total_us?: number
  readonly cpu_us?: Readonly<Record<string, number>>
  readonly measuring_us?: Readonly<Record<string, number>>
  readonly resident_mb?: Readonly<Record<string, number>>
  readonly others_share?: number
  /** The product's figure divided by this variant's. */
  readonly product_ratio?: {
    readonly per_second?: number
    readonly p50_ms?: number
    readonly p99_ms?: number
    readonly cpu_total_us?: number
  }
}

export function summarise(windows: readonly WindowRecord[]): Summary[] {
  const groups = new Map<string, WindowRecord[]>()
  for (const window of windows) {
    const key = `${window.workload} ${window.connections} ${window.variant}`
    groups.set(key, [...(groups.get(key) ?? []), window])
  }
  const summaries = [...groups.values()].map(mediansOf)
  return summaries.map(summary => {
    const product = find(summaries, { ...summary, variant: productName })
    if (!product || product === summary) return summary
    const ratioOf = (figure: 'per_second' | 'p50_ms' | 'p99_ms' | 'cpu_total_us') =>
      ratio(product[figure], summary[figure])
    return {
      ...summary,
      product_ratio: {
        per_second: ratioOf('per_second'),
        p50_ms: ratioOf('p50_ms'),
        p99_ms: ratioOf('p99_ms'),
        cpu_total_us: ratioOf('cpu_total_us'),
      },
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

function mediansOf(windows: readonly WindowRecord[]): Summary {
  const { workload, connections, variant } = windows[0] as WindowRecord
  const of = (figure: 'per_second' | 'p50_ms' | 'p99_ms' | 'max_ms') =>
    median(windows.map(window => window[figure]))
  const ofKnown = (figure: 'cpu_total_us' | 'others_share') => {
    const values = windows.flatMap(({ [figure]: value }) => (value === undefined ? [] : [value]))
    return values.length > 0 ? { [figure]: median(values) } : {}
  }
  const byName = (figure: 'cpu_us' | 'measuring_us' | 'resident_mb') => {
    const records = windows.flatMap(({ [figure]: record }) => (record ? [record] : []))
    return records.length > 0 ? { [figure]: mediansByName(records) } : {}
  }
  return {
    workload,
    connections,
    variant,
    rounds: windows.length,
    per_second: of('per_second'),
    p50_ms: of('p50_ms'),
    p99_ms: of('p99_ms'),
    max_ms: of('max_ms'),
    ...ofKnown('cpu_total_us'),
    ...ofKnown('others_share'),
    ...byName('cpu_us'),
    ...byName('measuring_us'),
    ...byName('resident_mb'),
  }
}
