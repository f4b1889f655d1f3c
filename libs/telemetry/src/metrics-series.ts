/**
 * Counters and histograms whose series are found once, during set-up. prom-client's own join, check and look up the labels
 * whenever something is counted, which was a fortieth of what a process does.
 */

export type Labels = Readonly<Record<string, string>>

interface Value {
  readonly metricName?: string
  readonly labels: Labels
  readonly value: number
}

/** A metric as a registry of prom-client asks it for its values; `series` makes what counts in one of its series. */
export interface SeriesMetric<Count> {
  readonly name: string
  series(labels: Labels): Count
  get(): Promise<{ name: string; help: string; type: string; values: Value[]; aggregator: string }>
}

export interface SeriesOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

/** A series is there from the first count on, which may be 0; one without labels from the beginning. */
export function seriesCounter(options: SeriesOptions): SeriesMetric<(by?: number) => void> {
  return seriesMetric('counter', options, labels => {
    let value: number | undefined
    return {
      count: (by = 1) => {
        value = (value ?? 0) + by
      },
      begin: () => {
        value = 0
      },
      values: () => (value === undefined ? [] : [{ labels, value }]),
    }
  })
}

/** The same of a histogram, of which no bucket counts what an earlier one does; they are added up when it is read. */
export function seriesHistogram(
  options: SeriesOptions & { readonly buckets: readonly number[] },
): SeriesMetric<(value: number) => void> {
  const { name, buckets } = options
  return seriesMetric('histogram', options, labels => {
    const counts = new Array<number>(buckets.length + 1).fill(0)
    let sum = 0
    let begun = false
    return {
      count: value => {
        begun = true
        sum += value
        let at = 0
        while (at < buckets.length && value > (buckets[at] as number)) at++
        counts[at] = (counts[at] as number) + 1
      },
      begin: () => {
        begun = true
      },
      values: () => {
        if (!begun) return []
        let total = 0
        const bucketed = counts.map((count, at) => {
          total += count
          const le = at < buckets.length ? String(buckets[at]) : '+Inf'
          return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total }
        })
        return [
          ...bucketed,
          { metricName: `${name}_sum`, labels, value: sum },
          { metricName: `${name}_count`, labels, value: total },
        ]
      },
    }
  })
}

interface Series<Count> {
  readonly count: Count
  /** Makes it visible although nothing has been counted. */
  begin(): void
  values(): Value[]
}

function seriesMetric<Count>(
  type: string,
  { name, help, labelNames }: SeriesOptions,
  make: (labels: Labels) => Series<Count>,
): SeriesMetric<Count> {
  const all = new Map<string, Series<Count>>()
  if (labelNames.length === 0) seriesOf({}).begin()
  return {
    name,
    series: labels => seriesOf(labels).count,
    get: async () => ({
      ...{ name, help, type, aggregator: 'sum' },
      values: [...all.values()].flatMap(series => series.values()),
    }),
  }

  function seriesOf(labels: Labels): Series<Count> {
    const key = JSON.stringify(Object.entries(labels).sort())
    const known = all.get(key)
    if (known) return known
    const made = make(labels)
    all.set(key, made)
    return made
  }
}
