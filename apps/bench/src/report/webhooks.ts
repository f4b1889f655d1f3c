/** What arrived at the endpoints, and what it cost. */
import { quiet, telling } from '../contestants/contestant.ts'
import type { Arrived } from '../load/receiver.ts'
import { decimals, table, whole } from './report.ts'
import { median } from './statistics.ts'
import { find, type Summary } from './summary.ts'

export interface ArrivedWindow {
  readonly connections: number
  readonly variant: string
  readonly arrived: Arrived
}

/** Medians over the windows. */
export function arrivedTable(windows: readonly ArrivedWindow[]): string {
  const kindOf = ({ connections, variant }: ArrivedWindow) => `${connections}\n${variant}`
  const kinds = [...new Set(windows.map(kindOf))]
  return table(
    ['connections', 'variant', 'deliveries/s', 'p50 ms after the change', 'p99 ms'],
    kinds.map(kind => {
      const of = (figure: (arrived: Arrived) => number) =>
        median(windows.filter(window => kindOf(window) === kind).map(({ arrived }) => figure(arrived)))
      return [
        ...kind.split('\n'),
        whole(of(({ deliveries, ms }) => (deliveries / ms) * 1000)),
        ...[decimals(of(({ p50_ms }) => p50_ms)), decimals(of(({ p99_ms }) => p99_ms))],
      ]
    }),
  )
}

/** At the same rate of offers, all that is spent more is spent on deliveries. */
export function costLine(
  summaries: readonly Summary[],
  { connections, endpoints }: { connections: number; endpoints: number },
): string {
  const of = (variant: string) => find(summaries, { workload: 'product', connections, variant })
  const [without, beside] = [of(quiet), of(telling)]
  if (without?.cpu_total_us === undefined || beside?.cpu_total_us === undefined) return ''
  const each = (beside.cpu_total_us - without.cpu_total_us) / endpoints
  return `A delivery costs ${whole(each)} µs of CPU in all processes.`
}
