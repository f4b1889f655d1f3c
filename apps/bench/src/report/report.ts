/** The report of a study: a table for each cell, and the targets. */
import { usageIsKnown } from '../load/process-usage.ts'
import { workloadLabels } from '../load/workloads.ts'
import { type Machine, machineLine } from '../machine.ts'
import { median } from './statistics.ts'
import type { Summary } from './summary.ts'
import { decimals, groupBy, percent, table, whole } from './table.ts'
import type { Target } from './targets.ts'

export interface Study {
  readonly title: string
  readonly machine: Machine
  readonly notes?: readonly string[]
  readonly medians?: readonly Summary[]
  readonly targets?: readonly Target[]
  readonly sections?: readonly string[]
}

export const studyReport = ({
  title,
  machine,
  notes = [],
  medians = [],
  targets = [],
  sections = [],
}: Study): string[] => [
  `# ${title}\n\n${machineLine(machine)}`,
  ...(usageIsKnown ? [] : ['There is no /proc here: CPU and resident memory are left out.']),
  ...notes,
  ...cellSections(medians),
  ...sections,
  ...(targets.length > 0 ? [targetSection(targets)] : []),
]

/** The variants of a cell in one group. */
export const byCell = (medians: readonly Summary[]): Summary[][] =>
  groupBy(medians, ({ workload, connections, base }) => `${workload} ${connections} ${base}`)

export const cellSections = (medians: readonly Summary[]): string[] => byCell(medians).map(cellSection)

/** × is the first row's figure divided by the row's. */
function cellSection(rows: readonly Summary[]): string {
  const [{ workload, connections }] = rows as [Summary]
  return `## ${workload}: ${workloadLabels[workload]}, ${connections} connection${connections === 1 ? '' : 's'}\n\n${table(
    [
      'variant',
      'req/s',
      '×',
      'p50 ms',
      '×',
      'p99 ms',
      '×',
      'max ms',
      'CPU µs',
      '×',
      'of which',
      'resident MB',
    ],
    rows.map(({ variant, per_second, p50_ms, p99_ms, max_ms, cpu_total_us, cpu_us, resident_mb, ratios }) => [
      ...[variant, whole(per_second), times(ratios?.per_second)],
      ...[decimals(p50_ms), times(ratios?.p50_ms), decimals(p99_ms), times(ratios?.p99_ms), decimals(max_ms)],
      ...[whole(cpu_total_us), times(ratios?.cpu_total_us), byName(cpu_us), byName(resident_mb)],
    ]),
  )}`
}

function targetSection(targets: readonly Target[]): string {
  const measured = targets.filter(({ met }) => met !== undefined)
  const rows = targets.map(({ name, of, bound, unit, figure, met }) => [
    of ? `${name} (${of})` : name,
    'at_least' in bound ? `≥ ${bound.at_least} ${unit}` : `≤ ${bound.at_most} ${unit}`,
    figure === undefined ? '–' : `${unit === '×' ? figure.toFixed(2) : whole(figure)} ${unit}`,
    met === undefined ? 'not measured' : met ? 'met' : 'MISSED',
  ])
  const met = measured.filter(target => target.met).length
  return [
    '## Targets',
    table(['target', 'bound', 'figure', 'result'], rows),
    `${met} of ${measured.length} targets are met; ${targets.length - measured.length} were not measured.`,
  ].join('\n\n')
}

/** A line of progress. */
export const windowLine = (
  window: Pick<Summary, 'variant' | 'per_second' | 'p50_ms' | 'p99_ms' | 'cpu_total_us' | 'others_share'>,
): string =>
  [
    window.variant.padEnd(24),
    `${whole(window.per_second).padStart(7)} req/s`,
    `p50 ${decimals(window.p50_ms).padStart(6)} ms`,
    `p99 ${decimals(window.p99_ms).padStart(6)} ms`,
    ...(window.cpu_total_us === undefined ? [] : [`CPU ${whole(window.cpu_total_us).padStart(5)} µs`]),
    ...((window.others_share ?? 0) > noticeable ? [`others ${percent(window.others_share)}`] : []),
  ].join('  ')

const times = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(2))

const byName = (values: Readonly<Record<string, number>> = {}): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${whole(value)}`)
    .join(', ')

/** Other programs may use this share of the machine without being reported. */
const noticeable = 0.1

/** What the measurement itself took, and whether other programs were busy on the machine. */
export function measuringNotes(medians: readonly Summary[]): string[] {
  const shares = medians.flatMap(({ others_share }) => others_share ?? [])
  if (shares.length === 0) return []
  const spent = (name: string) =>
    whole(median(medians.flatMap(({ measuring_us }) => measuring_us?.[name] ?? [])))
  const worst = Math.max(...shares)
  return [
    `Not in these figures: the load generator (${spent('load generator')} µs per request) and the harness, which reads the log (${spent('harness')} µs).`,
    `Of the machine's time, ${percent(median(shares))} (at worst ${percent(worst)}) went to what takes no part.${
      worst > noticeable
        ? ' Others were at work: measure again on a quiet machine before believing a figure.'
        : ''
    }`,
  ]
}
