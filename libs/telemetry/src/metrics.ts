/** The metrics of a process, in Prometheus' text format (version 0.0.4). */
import { readFileSync } from 'node:fs'
import { Counter, Gauge, type Metric, Registry, collectDefaultMetrics } from 'prom-client'
import { type SeriesMetric, seriesCounter, seriesHistogram } from './metrics-series.ts'
import { type MetricName, type MetricRow, metricsTable } from './metrics-table.ts'

type NameOf<Type extends MetricRow['type']> = {
  [N in MetricName]: (typeof metricsTable)[N]['type'] extends Type ? N : never
}[MetricName]

export type LabelsOf<N extends MetricName> = Readonly<
  Record<(typeof metricsTable)[N]['labels'][number], string>
>

export interface Metrics {
  /** One series of a counter: adds one, or a given number. Create it once, during set-up. */
  counter<N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>): (by?: number) => void
  /** Exposes the metric before its first series exists, so that its name can be found. */
  declare(name: NameOf<'counter' | 'histogram'>): void
  /** One series of a histogram: takes a value, seconds where it is a duration. */
  histogram<N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>): (value: number) => void
  /**
   * One series of what is counted or held elsewhere already: read at each scrape. Several readings of one series are
   * added up; one that fails or takes longer than a second leaves its series out.
   */
  read<N extends NameOf<'counter' | 'gauge'>>(
    name: N,
    labels: LabelsOf<N>,
    reading: () => number | Promise<number>,
  ): void
  /** Everything as text. */
  text(): Promise<string>
  readonly contentType: string
}

const readingMs = 1000
/** A look at the event loop every 10 ms, the default, is most of what an idle process does. */
const lookAtLoopEveryMs = 50

interface Reading {
  readonly labels: Readonly<Record<string, string>>
  readonly reading: () => number | Promise<number>
}

/** The metrics of the process `service`, whose version is that of its package.json; with those of Node.js itself. */
export function processMetrics(service: string, packageFile: URL): Metrics {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lookAtLoopEveryMs })
  const metrics = createMetrics(registry)
  metrics.read('svc_build_info', { version, node: process.versions.node }, () => 1)
  return metrics
}

/** Metrics by themselves: what is in the table comes about when the first series of it is made. */
export function createMetrics(registry = new Registry()): Metrics {
  const readings = new Map<MetricName, Reading[]>()

  return {
    counter(name, labels) {
      if (readings.has(name))
        throw new Error(`${name} is read at each scrape, and cannot be counted as well.`)
      return counterOf(name).series(labels)
    },
    declare: name => void (isCounter(name) ? counterOf(name) : histogramOf(name)),
    histogram: (name, labels) => histogramOf(name).series(labels),
    read(name, labels, reading) {
      const others = readings.get(name)
      if (others) others.push({ labels, reading })
      else readAtScrape(name, [{ labels, reading }])
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }

  function counterOf(name: MetricName) {
    return existing<(by?: number) => void>(name) ?? registered(seriesCounter(optionsOf(name)))
  }

  function histogramOf(name: MetricName) {
    return existing<(value: number) => void>(name) ?? registered(seriesHistogram(optionsOf(name)))
  }

  function existing<Count>(name: MetricName): SeriesMetric<Count> | undefined {
    return registry.getSingleMetric(name) as unknown as SeriesMetric<Count> | undefined
  }

  function registered<Count>(metric: SeriesMetric<Count>): SeriesMetric<Count> {
    registry.registerMetric(metric as unknown as Metric)
    return metric
  }

  function optionsOf(name: MetricName) {
    const { help, labels, buckets = [] }: MetricRow = metricsTable[name]
    return { name, help, labelNames: labels, buckets }
  }

  function readAtScrape(name: MetricName, first: Reading[]) {
    if (existing(name)) throw new Error(`${name} is counted already, and cannot be read as well.`)
    readings.set(name, first)
    const collect = async () => {
      const read = await Promise.allSettled(
        first.map(async one => ({ ...one, value: await inTime(one.reading()) })),
      )
      // Two scrapes at once: between the beginning anew and the last reading nothing else may come.
      metric.reset()
      // Without labels it would be 0 now: that nobody knows it is another thing.
      if (metricsTable[name].labels.length === 0) metric.remove()
      for (const one of read) if (one.status === 'fulfilled') metric.inc(one.value.labels, one.value.value)
    }
    const { help, labelNames } = optionsOf(name)
    const options = { name, help, labelNames, registers: [registry], collect }
    const metric = isCounter(name) ? new Counter(options) : new Gauge(options)
  }
}

const isCounter = (name: MetricName) => metricsTable[name].type === 'counter'

function inTime(value: number | Promise<number>): number | Promise<number> {
  if (typeof value === 'number') return value
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Reading the metrics timed out.')), readingMs)
  })
  return Promise.race([value, tooLate]).finally(() => clearTimeout(timer))
}
