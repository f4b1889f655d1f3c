/** The tables, as Markdown that is aligned to be readable as text. */
import { productName } from '../contestants/contestant.ts'
import { type Machine, machineLine } from '../machine.ts'
import { usageIsKnown } from '../load/process-usage.ts'
import { median, mediansByName } from './statistics.ts'
import { find, type Summary } from './summary.ts'
import type { Target } from './targets.ts'
import { workloadLabels, workloadNames } from '../load/workloads.ts'

export const withoutUsage = 'There is no /proc here: CPU and resident memory are left out.'

export function comparisonReport(
  summaries: readonly Summary[],
  targets: readonly Target[],
  machine: Machine,
  notes: readonly string[],
  sections: readonly string[] = [],
): string {
  return [
    `# Comparison\n\n${machineLine(machine)}`,
    ...(usageIsKnown ? [] : [withoutUsage]),
    ...notes,
    ...workloadNames.flatMap(workload => {
      const cells = summaries.filter(summary => summary.workload === workload)
      const connections = [...new Set(cells.map(cell => cell.connections))]
      return connections.map(
        number =>
          `## ${workload}: ${workloadLabels[workload]}, ${number} connection${number === 1 ? '' : 's'}\n\n${cellTable(
            cells.filter(cell => cell.connections === number),
          )}`,
      )
    }),
    ...oneConnection(summaries),
    ...sections,
    `## Resident memory, MB\n\n${memoryTable(summaries)}`,
    ...(targets.length > 0 ? [`## Targets\n\n${targetTable(targets)}\n\n${verdict(targets)}`] : []),
  ].join('\n\n')
}

/** One workload at one number of connections; the ratios are the product's figure divided by the row's. */
function cellTable(cells: readonly Summary[]): string {
  return table(
    ['variant', 'req/s', 'product ×', 'p50 ms', 'p99 ms', '×', 'max ms', 'CPU µs', '×', 'of which'],
    cells.map(cell => [
      cell.variant,
      whole(cell.per_second),
      times(cell.product_ratio?.per_second),
      decimals(cell.p50_ms),
      decimals(cell.p99_ms),
      times(cell.product_ratio?.p99_ms),
      decimals(cell.max_ms),
      whole(cell.cpu_total_us),
      times(cell.product_ratio?.cpu_total_us),
      shares(cell.cpu_us),
    ]),
  )
}

/** How long a request takes that has the machine to itself: a row for each workload. */
function oneConnection(summaries: readonly Summary[]): string[] {
  const alone = summaries.filter(({ connections }) => connections === 1)
  if (alone.length === 0) return []
  const variants = [...new Set(alone.map(({ variant }) => variant))]
  const rows = workloadNames
    .filter(workload => alone.some(summary => summary.workload === workload))
    .map(workload => [
      workload,
      ...variants.map(variant => {
        const summary = find(alone, { workload, connections: 1, variant })
        const of = summary?.product_ratio?.p50_ms
        return `${decimals(summary?.p50_ms)}${of === undefined ? '' : ` (${times(of)})`}`
      }),
    ])
  return [`## One connection: p50 ms (product × in parentheses)\n\n${table(['workload', ...variants], rows)}`]
}

function memoryTable(summaries: readonly Summary[]): string {
  const variants = [...new Set(summaries.map(({ variant }) => variant))]
  return table(
    ['variant', 'median over all loads, by process'],
    variants.flatMap(variant => {
      const records = summaries.flatMap(({ variant: whose, resident_mb }) =>
        whose === variant && resident_mb && Object.keys(resident_mb).length > 0 ? [resident_mb] : [],
      )
      return records.length > 0 ? [[variant, shares(mediansByName(records))]] : []
    }),
  )
}

export function targetTable(targets: readonly Target[]): string {
  return table(
    ['target', 'bound', 'figure', 'result'],
    targets.map(({ name, of, bound, unit, figure, met }) => [
      of ? `${name} (${of})` : name,
      'at_least' in bound ? `≥ ${bound.at_least} ${unit}` : `≤ ${bound.at_most} ${unit}`,
      figure === undefined ? '–' : `${unit === '×' ? figure.toFixed(2) : whole(figure)} ${unit}`,
      met === undefined ? 'not measured' : met ? 'met' : 'MISSED',
    ]),
  )
}

/** `17 of 19 targets are met; 1 was not measured.` */
function verdict(targets: readonly Target[]): string {
  const measured = targets.filter(({ met }) => met !== undefined)
  const met = measured.filter(target => target.met)
  const left = targets.length - measured.length
  const rest = left > 0 ? `; ${left} ${left === 1 ? 'was' : 'were'} not measured` : ''
  return `${met.length} of ${measured.length} targets are met${rest}.`
}

/** The variants of a comparison among the product's own. */
export const sideBySide = (summaries: readonly Summary[]): string =>
  table(
    ['connections', 'variant', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs'],
    summaries.map(({ connections, variant, per_second, p50_ms, p99_ms, cpu_total_us }) => [
      ...[String(connections), variant, whole(per_second), decimals(p50_ms), decimals(p99_ms)],
      whole(cpu_total_us),
    ]),
  )

/** A line of progress. */
export const windowLine = (window: {
  variant: string
  per_second: number
  p50_ms: number
  p99_ms: number
  cpu_total_us?: number
  others_share?: number
}): string =>
  [
    window.variant.padEnd(24),
    `${whole(window.per_second).padStart(7)} req/s`,
    `p50 ${decimals(window.p50_ms).padStart(6)} ms`,
    `p99 ${decimals(window.p99_ms).padStart(6)} ms`,
    ...(window.cpu_total_us === undefined ? [] : [`CPU ${whole(window.cpu_total_us).padStart(5)} µs`]),
    ...((window.others_share ?? 0) > noticeable ? [`others ${percent(window.others_share)}`] : []),
  ].join('  ')

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((text, column) =>
    Math.max(3, text.length, ...rows.map(row => row[column]?.length ?? 0)),
  )
  // Numbers are aligned right: everything except the first column and a last one of words.
  const isNumber = (column: number) =>
    rows.some(row => /\d/.test(row[column] ?? '')) && rows.every(row => /^[\d,.–]*$/.test(row[column] ?? ''))
  const line = (cells: readonly string[]) =>
    `| ${widths
      .map((width, column) => {
        const text = cells[column] ?? ''
        return isNumber(column) ? text.padStart(width) : text.padEnd(width)
      })
      .join(' | ')} |`
  const rule = widths.map((width, column) =>
    isNumber(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** 1,234 */
export const whole = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '–' : Math.round(value).toLocaleString('en-US')

/** Three significant digits. */
export const decimals = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value)
    ? '–'
    : value >= 100
      ? whole(value)
      : value.toFixed(value >= 10 ? 1 : 2)

const times = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(2))

const shares = (byName: Readonly<Record<string, number>> | undefined): string =>
  Object.entries(byName ?? {})
    .map(([name, value]) => `${name} ${whole(value)}`)
    .join(', ')

/** Other programs may use this share of the machine without being reported. */
const noticeable = 0.1

const percent = (share = 0): string => `${Math.round(share * 100)} %`

/** Whether other programs were busy on the machine. */
export function othersNote(summaries: readonly Summary[]): string[] {
  const shares = summaries.flatMap(({ others_share }) => (others_share === undefined ? [] : [others_share]))
  if (shares.length === 0) return []
  const [middle, worst] = [median(shares), Math.max(...shares)]
  const warning =
    worst > noticeable
      ? ' Others were at work: measure again on a quiet machine before believing a figure.'
      : ''
  return [
    `Of the machine's time, ${percent(middle)} (at worst ${percent(worst)}) went to what takes no part.${warning}`,
  ]
}

/** The CPU of the measurement, to compare with what is measured. */
export function measuringNote(summaries: readonly Summary[]): string[] {
  const records = summaries.flatMap(({ variant, measuring_us }) =>
    variant === productName && measuring_us ? [measuring_us] : [],
  )
  if (records.length === 0) return []
  const load = median(records.flatMap(record => record['load generator'] ?? []))
  const harness = median(records.flatMap(record => record.harness ?? []))
  return [
    `Not in these figures: the load generator (${whole(load)} µs per request of the product) and the harness, which reads the log (${whole(harness)} µs).`,
  ]
}
