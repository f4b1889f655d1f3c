import { expect, test } from 'vitest'
import { comparisonChart } from '../src/report/chart.ts'
import { studyReport } from '../src/report/report.ts'
import { summarise, type WindowRecord } from '../src/report/summary.ts'
import { table } from '../src/report/table.ts'
import { targetsOf } from '../src/report/targets.ts'
import { machine } from './answering.ts'

const windows: WindowRecord[] = ['product', 'monolith-begin', 'pgbench'].flatMap((variant, index) =>
  [1, 32].map(connections => ({
    ...{ workload: 'product', connections, round: 1, variant, base: 'product', seconds: 3, requests: 10 },
    ...{ per_second: 1234.5 * (index + 1), p50_ms: 0.5, p99_ms: 12.34, max_ms: 123.4 },
    cpu_us: { node: 100, postgres: 50 },
    cpu_total_us: 150,
  })),
) as WindowRecord[]
const medians = summarise(windows)
const study = { title: 'Comparison', machine, notes: ['A note.'], medians }

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

test('the report has each variant in the table of each cell, and every target', () => {
  const targets = targetsOf(medians)
  const report = studyReport({ ...study, targets }).join('\n')
  expect(report.match(/^\| monolith-begin +\| +2,469 \| 0\.50 \|/gm)).toHaveLength(2)
  for (const { name } of targets) expect(report).toContain(name)
  expect(report).toContain('A note.')
  expect(studyReport(study).join('\n')).not.toContain('## Targets')
})

test('the chart has a bar for each variant in each cell, and escapes', () => {
  const chart = comparisonChart(medians, machine)
  expect(chart.match(/>monolith-begin</g)).toHaveLength(2)
  expect(chart).toContain('>floor: pgbench<')
  expect(chart).toContain('A &amp; B &lt;CPU&gt;')
  expect(chart).not.toMatch(/NaN|undefined|Infinity/)
  expect(comparisonChart([], machine)).toMatch(/^<svg .*<\/svg>\n$/s)
})

test('without /proc no costs are shown', () => {
  const bare = summarise(windows.map(({ cpu_us, cpu_total_us, ...rest }) => rest))
  expect(comparisonChart(bare, machine)).not.toContain('µs')
  expect(studyReport({ ...study, medians: bare }).join('\n')).not.toMatch(/NaN|undefined/)
})
