import { expect, test } from 'vitest'
import { durationOf, hostsOf, lastOf, type PlannedCell, planTargets, turnsOf } from '../src/commands/plan.ts'
import { peers } from '../src/contestants/peers.ts'
import { maxSteadySeconds } from '../src/contestants/revocations.ts'
import { workloadNames } from '../src/load/workloads.ts'
import { summarise, type WindowRecord } from '../src/report/summary.ts'
import { relativeTargets, targetsOf } from '../src/report/targets.ts'
import { studyReport } from '../src/report/report.ts'
import { machine } from './answering.ts'

const plan = planTargets({ quick: false })

/** A window of every variant in every cell, as a run of the plan has them. */
const windows: WindowRecord[] = plan.flatMap(({ workload, connections, variants, seconds }) =>
  variants.map(variant => ({
    ...{
      workload,
      connections,
      variant,
      base: variants[0] ?? '',
      seconds,
      round: 1,
      requests: 1000,
      per_second: 1000,
    },
    ...{ p50_ms: 1, p99_ms: 2, max_ms: 3, cpu_total_us: 100, cpu_us: { all: 100 } },
    ...{ resident_mb: { gateway: 100, offers: 100 }, others_share: 0 },
  })),
)

test('the run takes at most 15 minutes', () => {
  expect(durationOf(plan, { quick: false }) / 60_000).toBeLessThanOrEqual(15)
})

test('a smoke run takes at most 3 minutes, and has the same cells', () => {
  const quick = planTargets({ quick: true })
  expect(durationOf(quick, { quick: true }) / 60_000).toBeLessThanOrEqual(3)
  const cells = (of: typeof plan) =>
    of.map(({ workload, connections, variants }) => ({ workload, connections, variants }))
  expect(cells(quick)).toEqual(cells(plan))
})

test('every target is measured by the run: met or missed, and the report says so', () => {
  const medians = summarise(windows)
  const targets = targetsOf(medians)
  expect(targets.filter(({ met }) => met === undefined)).toEqual([])
  const report = studyReport({ title: 'Comparison', machine, medians, targets }).join('\n\n')
  for (const { name, met } of targets) {
    const row = report.split('\n').find(line => line.includes(name)) ?? ''
    expect(row).toMatch(met ? / met +\|$/ : / MISSED +\|$/)
  }
  expect(report).toContain(`${targets.filter(({ met }) => met).length} of ${targets.length} targets are met`)
  expect(report).not.toMatch(/NaN|undefined/)
})

test('every workload has its row for one connection, beside a peer', () => {
  const alone = plan.filter(({ connections }) => connections === 1)
  expect(alone.map(({ workload }) => workload).sort()).toEqual([...workloadNames].sort())
  for (const { variants } of alone) expect(variants).toHaveLength(2)
})

test('peers are up as long as they are needed: most of them for the first cell alone', () => {
  expect(plan[0]).toMatchObject({ workload: 'product', connections: 32 })
  for (const name of ['monolith-statement', 'nestjs-begin', 'moleculer-begin', 'moleculer-statement']) {
    expect(lastOf(plan, name)).toBe(plan[0])
  }
  expect(lastOf(plan, 'monolith-begin')).toBe(plan[1])
  expect(lastOf(plan, 'product')).toBe(plan.at(-1))
  expect(hostsOf(lastOf(plan, 'two-replicas') as PlannedCell).sort()).toEqual(['product', 'two-replicas'])
})

test('there are as many tokens to be revoked as the windows take', () => {
  const [steady] = plan.filter(({ variants }) => variants.includes('revoking'))
  expect(steady?.seconds).toBeLessThanOrEqual(maxSteadySeconds)
})

test('every peer that a target is compared with exists, and pgbench', () => {
  const named = relativeTargets.flatMap(({ variant, peers }) => (variant === 'product' ? peers : []))
  expect([...peers.map(({ name }) => name), 'pgbench']).toEqual(expect.arrayContaining(named))
})

test('every round has each contestant once, and each comes first in turn', () => {
  const turns = turnsOf(['a', 'b', 'c'], 4)
  const inRound = (number: number) =>
    turns.filter(({ round }) => round === number).map(({ contestant }) => contestant)
  expect([1, 2, 3, 4].map(inRound).map(round => round.join(''))).toEqual(['abc', 'bca', 'cab', 'abc'])
})
