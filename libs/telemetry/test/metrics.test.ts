import { parseExposition, seriesKey } from '@svc/testing/deploy/exposition'
import { describe, expect, test } from 'vitest'
import { type Metrics, createMetrics, processMetrics } from '../src/metrics.ts'
import { meterCalls, meterOperation } from '../src/metrics-bus.ts'
import { meterDatabase } from '../src/metrics-database.ts'
import { meterRequests } from '../src/metrics-http.ts'
import { metricsTable } from '../src/metrics-table.ts'

const read = async (metrics: { text(): Promise<string> }) => parseExposition(await metrics.text())

test('two sets of metrics in one process are counted separately', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  const count = one.counter('svc_stripe_requests_total', { outcome: 'ok' })
  count()
  count(2)
  other.counter('svc_stripe_requests_total', { outcome: 'ok' })(0)
  const key = seriesKey('svc_stripe_requests_total', { outcome: 'ok' })
  expect((await read(one)).get('svc_stripe_requests_total')?.series.get(key)).toBe(3)
  expect((await read(other)).get('svc_stripe_requests_total')?.series.get(key)).toBe(0)
})

test('a process reports what it is, and what Node.js measures', async () => {
  const metrics = processMetrics('program', new URL('../package.json', import.meta.url))
  const families = await read(metrics)
  const labels = { service: 'program', version: '0.1.0', node: process.versions.node }
  expect(families.get('svc_build_info')?.series.get(seriesKey('svc_build_info', labels))).toBe(1)
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])
    expect(families.get(name)?.series.has(seriesKey(name, { service: 'program' })), name).toBe(true)
  expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
})

describe('what is read at each scrape', () => {
  const key = seriesKey('svc_shed_total', { at: 'bus' })
  const shed = async (metrics: { text(): Promise<string> }) =>
    (await read(metrics)).get('svc_shed_total')?.series.get(key)

  test('is the current sum of all sources, however many scrape at once', async () => {
    const metrics = createMetrics()
    let count = 1
    metrics.read('svc_shed_total', { at: 'bus' }, () => count)
    metrics.read('svc_shed_total', { at: 'bus' }, async () => 10)
    expect(await Promise.all([shed(metrics), shed(metrics), shed(metrics)])).toEqual([11, 11, 11])
    count = 5
    expect(await shed(metrics)).toBe(15)
  })

  test.each<[string, () => Promise<number>]>([
    ['fails', () => Promise.reject(new Error('no database'))],
    ['never comes', () => new Promise(() => {})],
  ])('is left out if it %s, and the rest is there', async (_how, reading) => {
    const metrics = createMetrics()
    metrics.read('svc_outbox_unread_seconds', {}, reading)
    metrics.read('svc_shed_total', { at: 'bus' }, () => 7)
    const families = await read(metrics)
    expect(families.get('svc_shed_total')?.series.get(key)).toBe(7)
    expect(families.get('svc_outbox_unread_seconds')?.series.size).toBe(0)
  })

  test('cannot also be counted, nor the other way around', () => {
    const metrics = createMetrics()
    metrics.read('svc_shed_total', { at: 'bus' }, () => 1)
    expect(() => metrics.counter('svc_shed_total', { at: 'gateway' })).toThrow(/read at each scrape/)
    metrics.declare('svc_stripe_requests_total')
    expect(() => metrics.read('svc_stripe_requests_total', { outcome: 'ok' }, () => 1)).toThrow(/counted/)
  })
})

describe('what alerts query is 0 before it happens', () => {
  type SetUp = (metrics: Metrics) => unknown
  const called = async () => ({ status: 200 })
  const state = { size: 1, connections: () => 0, idle: () => 0, waiting: () => 0 }
  const operation = 'offers.create_offer'

  test.each<[string, SetUp, readonly object[]]>([
    [
      'svc_http_requests_total',
      metrics => meterRequests(metrics, operation),
      ['500', '503', '504'].map(status => ({ operation, status })),
    ],
    [
      'svc_operations_total',
      metrics => meterOperation(metrics, operation),
      ['500', '503', '504'].map(status => ({ operation, status })),
    ],
    [
      'svc_bus_calls_total',
      metrics => meterCalls(metrics, () => 0, called, [`rpc.${operation}`]),
      ['failed', 'unavailable', 'timeout'].map(outcome => ({ operation, outcome })),
    ],
    [
      'svc_database_statements_total',
      metrics => meterDatabase(metrics, state),
      ['ok', 'refused', 'unavailable', 'timeout'].map(outcome => ({ outcome })),
    ],
    ['svc_shed_total', metrics => meterDatabase(metrics, state), [{ at: 'database' }]],
    ['svc_deadline_drops_total', metrics => meterDatabase(metrics, state), [{ at: 'database' }]],
  ])('%s', async (name, setUp, labels) => {
    const metrics = createMetrics()
    setUp(metrics)
    const born = labels.map(one => [seriesKey(name, one as Record<string, string>), 0] as const)
    expect((await read(metrics)).get(name)?.series).toEqual(new Map(born))
  })

  test('an undeclared operation: while its first call is in progress', async () => {
    const metrics = createMetrics()
    let answer = (_: { status: number }) => {}
    const answered = new Promise<{ status: number }>(resolve => {
      answer = resolve
    })
    const asked = meterCalls(
      metrics,
      () => 0,
      () => answered,
    )({ subject: `rpc.${operation}` })
    const calls = async () => (await read(metrics)).get('svc_bus_calls_total')?.series
    const key = (outcome: string) => seriesKey('svc_bus_calls_total', { operation, outcome })
    expect((await calls())?.get(key('unavailable'))).toBe(0)
    answer({ status: 500 })
    await asked
    expect((await calls())?.get(key('failed'))).toBe(1)
  })
})

test('a histogram has the buckets of the table, which are cumulative', async () => {
  const metrics = createMetrics()
  const observe = metrics.histogram('svc_batch_size', { batch: 'offers' })
  for (const size of [1, 2, 3, 256, 257]) observe(size)
  const series = (await read(metrics)).get('svc_batch_size')?.series
  const upTo = (le: string) => series?.get(seriesKey('svc_batch_size_bucket', { batch: 'offers', le }))
  expect(['1', '2', '4', '128', '256', '+Inf'].map(upTo)).toEqual([1, 2, 3, 3, 4, 5])
  expect(metricsTable.svc_batch_size.buckets.map(String).map(upTo)).not.toContain(undefined)
  expect(series?.get(seriesKey('svc_batch_size_sum', { batch: 'offers' }))).toBe(519)
})

test.each([
  ['no end of the last line', '# HELP a b\n# TYPE a counter\na 1'],
  ['a sample before its type', '# HELP a b\na 1\n'],
  ['another name', '# HELP a b\n# TYPE a counter\nc 1\n'],
  ['the same series twice', '# HELP a b\n# TYPE a counter\na{x="1"} 1\na{x="1"} 2\n'],
  ['no number', '# HELP a b\n# TYPE a counter\na one\n'],
  ['a counter below 0', '# HELP a b\n# TYPE a counter\na -1\n'],
  ['an open label', '# HELP a b\n# TYPE a counter\na{x="1} 1\n'],
  ['a raw quote', '# HELP a b\n# TYPE a counter\na{x="1"2"} 1\n'],
  ['a second group', '# HELP a b\n# TYPE a counter\n# HELP a b\n'],
  [
    'buckets that fall',
    '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  ],
  ['another count', '# HELP a b\n# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n'],
])('the reader of these tests refuses %s', (_what, text) => {
  expect(() => parseExposition(text)).toThrow()
})
