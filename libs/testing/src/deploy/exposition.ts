/** Reads Prometheus' text format, and refuses what is not in it: https://prometheus.io/docs/instrumenting/exposition_formats/ */

export interface Family {
  readonly type: string
  readonly help: string
  /** By the text of the series as it stands: name and labels, sorted by label. */
  readonly series: Map<string, number>
}

export type Exposition = Map<string, Family>

const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
// What Go's ParseFloat takes, as the format says.
const number = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf|nan)$/i
const suffixes: Record<string, readonly string[]> = { histogram: ['_bucket', '_sum', '_count'] }

/** @throws Error that names the line */
export function parseExposition(text: string): Exposition {
  const families: Exposition = new Map()
  let name = ''
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, kind, of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (families.has(of)) throw new Error(`A second group of ${of}.`)
      name = of
      families.set(of, { type: '', help: rest, series: new Map() })
    } else if (kind === 'TYPE') {
      const family = families.get(of)
      if (of !== name || !family || family.type !== '' || family.series.size > 0) throw misplaced(line)
      if (!/^(counter|gauge|histogram|summary)$/.test(rest)) throw new Error(`An unknown type: ${line}`)
      families.set(of, { ...family, type: rest })
    } else readSample(line, name, families.get(name))
  }
  for (const [of, family] of families) if (family.type === 'histogram') checkHistogram(of, family)
  return families
}

const misplaced = (line: string) => new Error(`Not expected here: ${line}`)

function readSample(line: string, name: string, family: Family | undefined) {
  const [, own = '', labels = '', value = ''] = sample.exec(line) ?? []
  if (!family?.type) throw misplaced(line)
  if (!(suffixes[family.type] ?? ['']).some(suffix => own === name + suffix)) throw misplaced(line)
  if (!number.test(value)) throw new Error(`Not a number: ${line}`)
  const key = seriesKey(own, readLabels(labels, line))
  if (family.series.has(key)) throw new Error(`The same series twice: ${line}`)
  const amount = /inf$/i.test(value) ? Number.POSITIVE_INFINITY : Number(value)
  if (family.type !== 'gauge' && !(amount >= 0)) throw new Error(`Less than nothing: ${line}`)
  family.series.set(key, amount)
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let rest = text
  while (rest !== '') {
    const [all = '', label = '', value = ''] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?!$)|$)/.exec(rest) ?? []
    if (all === '' || Object.hasOwn(labels, label)) throw new Error(`Labels are malformed: ${line}`)
    labels[label] = value
    rest = rest.slice(all.length)
  }
  return labels
}

/** A series as the keys of a family are. */
export const seriesKey = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .sort()
    .join()}}`

/** Buckets are cumulative, the last one is +Inf, and it holds as many as were counted. */
function checkHistogram(name: string, { series }: Family) {
  const buckets = new Map<string, number[]>()
  for (const [key, count] of series) {
    if (!key.startsWith(`${name}_bucket{`)) continue
    const of = key.replace(/le="[^"]*",?/, '').replace(/,\}$/, '}')
    buckets.set(of, [...(buckets.get(of) ?? []), count])
  }
  for (const [of, counts] of buckets) {
    const total = series.get(of.replace('_bucket{', '_count{'))
    const infinite = [...series.keys()].filter(key => key.includes('le="+Inf"')).length
    if (infinite !== buckets.size || counts.some((count, at) => count < (counts[at - 1] ?? 0)))
      throw new Error(`Buckets are not cumulative: ${of}`)
    if (total === undefined || counts.at(-1) !== total) throw new Error(`Buckets and count differ: ${of}`)
    if (!series.has(of.replace('_bucket{', '_sum{'))) throw new Error(`Without a sum: ${of}`)
  }
}

/** The value of one series, 0 where it is not there. */
export function amountOf(
  exposition: Exposition,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = exposition.get(name) ?? exposition.get(name.replace(/_(sum|count|bucket)$/, ''))
  return family?.series.get(seriesKey(name, labels)) ?? 0
}

/** The same, of metrics in this process. */
export const amountIn = async (
  metrics: { text(): Promise<string> },
  name: string,
  labels?: Readonly<Record<string, string>>,
): Promise<number> => amountOf(parseExposition(await metrics.text()), name, labels)
