import { expect, test } from 'vitest'
import { comparisonChart } from '../src/report/chart.ts'
import type { Machine } from '../src/machine.ts'
import { comparisonReport, table } from '../src/report/report.ts'
import { summarise, type WindowRecord } from '../src/report/summary.ts'
import { targetsOf } from '../src/report/targets.ts'

const machine: Machine = {
  date: '2026-01-02T03:04:05.000Z',
  cores: 2,
  cpu: 'A & B <CPU>',
  memory_gb: 8,
  system: 'Linux',
  node: '20.19.0',
  postgres: '18.0',
  nats: '2.14.0',
}

const windows: WindowRecord[] = ['product', 'monolith-begin', 'pgbench'].flatMap((variant, index) =>
  [1, 32].map(connections => ({
    ...{ workload: 'product', connections, round: 1, variant, seconds: 3, requests: 10 },
    ...{ per_second: 1234.5 * (index + 1), p50_ms: 0.5, p99_ms: 12.34, max_ms: 123.4 },
    cpu_us: { node: 100, postgres: 50 },
    cpu_total_us: 150,
  })),
) as WindowRecord[]
const summaries = summarise(windows)

test('a table is aligned, with numbers to the right', () => {
  expect(
    table(
      ['name', 'n'],
      [
        ['a', '1'],
        ['longer', '1,234'],
      ],
    ),
  ).toBe(['| name   |     n |', '| ------ | ----: |', '| a      |     1 |', '| longer | 1,234 |'].join('\n'))
})

test('the report has each variant in each of its tables, and every target', () => {
  const targets = targetsOf(summaries)
  const report = comparisonReport(summaries, targets, machine, ['A note.'])
  expect(report.match(/^\| monolith-begin +\| 2,469/gm)).toHaveLength(2)
  for (const { name } of targets) expect(report).toContain(name)
  expect(report).toContain('A note.')
})

test('at one connection every workload has a row, with the product in units of each', () => {
  const report = comparisonReport(summaries, [], machine, [])
  expect(report).toMatch(/^\| product +\| +0\.50 +\| 0\.50 \(1\.00\) +\| 0\.50 \(1\.00\) +\|$/m)
  expect(report).not.toContain('## Targets')
})

test('the chart has a bar for each variant that does the work, describes floors in words, and escapes', () => {
  const chart = comparisonChart(summaries, machine, ['pgbench'])
  expect(chart.match(/>monolith-begin</g)).toHaveLength(2)
  expect(chart).toContain('Floors: pgbench 3,704/s, 150 µs')
  expect(chart).not.toContain('>pgbench<')
  expect(chart).toContain('A &amp; B &lt;CPU&gt;')
  expect(chart).not.toMatch(/NaN|undefined|Infinity/)
  expect(comparisonChart([], machine, [])).toMatch(/^<svg .*<\/svg>\n$/s)
})

test('without /proc no costs are shown', () => {
  const bare = summarise(windows.map(({ cpu_us, cpu_total_us, ...rest }) => rest))
  expect(comparisonChart(bare, machine, [])).not.toContain('CPU µs')
  expect(comparisonReport(bare, targetsOf(bare), machine, [])).not.toMatch(/NaN|undefined/)
})
