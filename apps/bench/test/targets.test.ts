import { expect, test } from 'vitest'
import { driftTarget } from '../src/commands/drift.ts'
import { summarise, type WindowRecord } from '../src/report/summary.ts'
import { judge, targetsOf } from '../src/report/targets.ts'

const window = (variant: string, figures: Partial<WindowRecord> = {}): WindowRecord => ({
  workload: 'product',
  connections: 32,
  round: 1,
  base: 'product',
  variant,
  seconds: 3,
  requests: 3000,
  per_second: 1000,
  p50_ms: 1,
  p99_ms: 2,
  max_ms: 3,
  ...figures,
})

const target = (windows: WindowRecord[], name: RegExp) =>
  targetsOf(summarise(windows)).find(target => name.test(target.name))

test("a ratio is the product's median divided by the peer's", () => {
  const windows = [1000, 5000, 3000].flatMap((per_second, index) => [
    window('product', { per_second, round: index }),
    window('monolith-begin', { per_second: [100, 2000, 1000][index], round: index }),
  ])
  const [product, peer] = summarise(windows)
  expect(product).toMatchObject({ per_second: 3000, rounds: 3 })
  expect(product?.ratios).toBeUndefined()
  expect(peer?.ratios).toEqual({
    per_second: 3,
    p50_ms: 1,
    p99_ms: 1,
    cpu_total_us: undefined,
  })
})

test('figures of other workloads and connections are kept apart', () => {
  const summaries = summarise([
    window('product', { per_second: 1 }),
    window('product', { per_second: 2, connections: 1 }),
    window('product', { per_second: 3, workload: 'tokens' }),
  ])
  expect(summaries.map(({ per_second }) => per_second)).toEqual([1, 2, 3])
})

test.each([
  { per_second: 2700, met: true },
  { per_second: 2699, met: false },
])('2.7 times the monolith is met: $met at $per_second', ({ per_second, met }) => {
  const windows = [window('product', { per_second }), window('monolith-begin')]
  expect(target(windows, /32: requests\/s, product ÷ monolith-begin/)).toMatchObject({
    figure: per_second / 1000,
    met,
  })
})

test('if less is better, a figure above the bound is a miss', () => {
  const cost = (cpu_total_us: number) =>
    target(
      [window('product', { cpu_total_us }), window('monolith-begin', { cpu_total_us: 600 })],
      /CPU per request/,
    )
  expect(cost(222)).toMatchObject({ figure: 0.37, met: true })
  expect(cost(300)).toMatchObject({ figure: 0.5, met: false })
})

test('the peer that is best in the figure is the one that counts', () => {
  const windows = [
    window('product', { p99_ms: 10, per_second: 9000 }),
    window('monolith-begin', { p99_ms: 20, per_second: 1 }),
    window('monolith-statement', { p99_ms: 8, per_second: 2 }),
    window('monolith-statement-4x1', { p99_ms: 12, per_second: 3 }),
  ]
  expect(target(windows, /32: p99, product ÷ best monolith/)).toMatchObject({
    figure: 1.25,
    met: false,
    of: 'monolith-statement',
  })
})

test('the product is held against itself where that is the question', () => {
  const steady = { workload: 'installs', connections: 64 } as const
  const windows = [
    window('one-replica', { per_second: 1000 }),
    window('two-replicas', { per_second: 999 }),
    window('calm', { ...steady, p99_ms: 10 }),
    window('revoking', { ...steady, p99_ms: 11 }),
  ]
  expect(target(windows, /two-replicas ÷ one-replica/)).toMatchObject({ figure: 0.999, met: false })
  expect(target(windows, /10 revocations\/s: p99, revoking ÷ calm/)).toMatchObject({ figure: 1.1, met: true })
})

test('no two targets have the same name', () => {
  const names = targetsOf([]).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('what was not measured is neither met nor missed', () => {
  const targets = targetsOf(summarise([window('product')]))
  expect(targets.filter(({ met }) => met !== undefined)).toEqual([])
  expect(targets.filter(({ figure }) => figure !== undefined)).toEqual([])
  expect(judge({ name: 'x', bound: { at_most: 1 }, unit: '×', figure: Number.NaN }).met).toBeUndefined()
})

test('memory is judged by the gateway and by the largest of the other processes, whatever the load', () => {
  const windows = [
    window('product', { resident_mb: { gateway: 90, offers: 80 } }),
    window('product', { resident_mb: { gateway: 70, offers: 121 }, connections: 256 }),
    window('monolith-begin', { resident_mb: { monolith: 500 } }),
  ]
  expect(target(windows, /memory of the gateway/)).toMatchObject({ figure: 90, met: true })
  expect(target(windows, /memory of any other/)).toMatchObject({
    ...{ figure: 121, met: false, of: 'offers, product at 256' },
  })
})

test.each([
  { cpu: [100, 140, 103], figure: 1.03, met: true },
  { cpu: [100, 90, 104], figure: 1.04, met: false },
  { cpu: [100], figure: undefined, met: undefined },
])('drift compares the last minute with the first: $cpu', ({ cpu, figure, met }) => {
  const drifted = driftTarget(cpu.map(cpu_total_us => ({ cpu_total_us })))
  expect([drifted.figure, drifted.met]).toEqual([figure, met])
})
