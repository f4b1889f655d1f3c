// Our counters and histograms say what those of prom-client would say.
import { parseExposition } from '@svc/testing/deploy/exposition'
import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createMetrics } from '../src/metrics.ts'
import { metricsTable } from '../src/metrics-table.ts'

const size = 'svc_batch_size'
const wait = 'svc_database_wait_seconds'
const calls = 'svc_bus_calls_total'

/** Those of prom-client under the same names. */
function reference() {
  const registers = [new Registry()]
  const histogramOf = (name: typeof size | typeof wait) => {
    const { help, labels, buckets } = metricsTable[name]
    return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers })
  }
  const { help, labels } = metricsTable[calls]
  return {
    size: histogramOf(size),
    wait: histogramOf(wait),
    calls: new Counter({ name: calls, help, labelNames: labels, registers }),
    text: () => (registers[0] as Registry).metrics(),
  }
}

const answered = { operation: 'offers.get_offer', outcome: 'ok' }
const failed = { operation: 'offers.get_offer', outcome: 'failed' }

test('counted alike, they are exposed alike: on the bounds of buckets, beyond the last, and not at all', async () => {
  const [ours, theirs] = [createMetrics(), reference()]
  const [lookups, pages] = ['lookups', 'pages'].map(batch => ours.histogram(size, { batch }))
  ours.histogram(size, { batch: 'never' })
  for (const value of [1, 2, 3, 64, 65, 256, 257, 10_000, 0]) {
    lookups?.(value)
    theirs.size.observe({ batch: 'lookups' }, value)
  }
  pages?.(7)
  theirs.size.observe({ batch: 'pages' }, 7)
  const waited = ours.histogram(wait, {})
  for (const value of [0, 0.001, 0.0011, 0.3, 10, 11]) {
    waited(value)
    theirs.wait.observe(value)
  }
  const counters = [answered, failed].map(labels => ours.counter(calls, labels))
  ours.counter(calls, { operation: 'offers.get_offer', outcome: 'timeout' })
  counters[0]?.()
  counters[0]?.(41)
  theirs.calls.inc(answered, 42)
  counters[1]?.(0)
  theirs.calls.inc(failed, 0)
  const [own, expected] = [parseExposition(await ours.text()), parseExposition(await theirs.text())]
  for (const name of [size, wait, calls]) expect(own.get(name)).toEqual(expected.get(name))
})

test('before anything is counted only those without labels have a series', async () => {
  const [ours, theirs] = [createMetrics(), reference()]
  for (const name of [size, wait, calls] as const) ours.declare(name)
  const [own, expected] = [parseExposition(await ours.text()), parseExposition(await theirs.text())]
  for (const name of [size, wait, calls]) expect(own.get(name)).toEqual(expected.get(name))
})

test('two requests for the same series count in the same one', async () => {
  const metrics = createMetrics()
  for (const labels of [answered, { outcome: 'ok', operation: 'offers.get_offer' }])
    metrics.counter(calls, labels)(2)
  const { series } = parseExposition(await metrics.text()).get(calls) ?? {}
  expect([...(series?.values() ?? [])]).toEqual([4])
})
