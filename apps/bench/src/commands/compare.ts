/** The product beside its peers and pgbench: what the command line names, or all that the targets need. */
import { pgbenchName, productName, restricted } from '../contestants/contestant.ts'
import { peers } from '../contestants/peers.ts'
import { hasPgbench } from '../contestants/pgbench.ts'
import { one } from '../options.ts'
import { comparisonChart } from '../report/chart.ts'
import { measuringNotes, studyReport } from '../report/report.ts'
import { summarise } from '../report/summary.ts'
import { targetsOf } from '../report/targets.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import { startHosts } from './hosts.ts'
import { durationOf, type PlannedCell, planComparison, planTargets } from './plan.ts'
import { duration, runRounds } from './rounds.ts'

const variants = [productName, restricted, ...peers.map(({ name }) => name), pgbenchName]

export async function compare(surroundings: Surroundings): Promise<void> {
  const asked = surroundings.options.variants?.map(name => one(name, variants, 'variant'))
  await run(
    planComparison(
      surroundings.options,
      variants.filter(name => asked?.includes(name) ?? true),
    ),
    surroundings,
  )
}

export async function targets(surroundings: Surroundings): Promise<void> {
  const plan = planTargets(surroundings.options)
  for (const { workload, connections, variants, rounds, seconds } of plan) {
    const cell = `${workload.padEnd(9)} ${String(connections).padStart(3)}`
    surroundings.say(`${cell}  ${rounds} × ${seconds} s  ${variants.join(', ')}`)
  }
  await run(plan, surroundings)
}

async function run(wanted: readonly PlannedCell[], surroundings: Surroundings) {
  const { options, say, preparePeers } = surroundings
  const plan = hasPgbench()
    ? wanted
    : wanted.map(cell => ({ ...cell, variants: cell.variants.filter(name => name !== pgbenchName) }))
  say(`${duration(durationOf(plan, options))} in all, starts and warm-ups included`)
  if (peers.some(({ name }) => plan.some(cell => cell.variants.includes(name)))) await preparePeers()
  const scene = await setScene(surroundings, Math.max(...plan.map(({ connections }) => connections)))
  const windows = await runRounds(plan, await startHosts(plan, scene, surroundings), scene, surroundings)

  const { machine } = scene
  const medians = summarise(windows)
  const judged = targetsOf(medians)
  const notes = [
    ...(options.quick ? ['A smoke run: it shows that everything works, and its figures mean nothing.'] : []),
    ...(hasPgbench() ? [] : ['pgbench is not on PATH: that floor is skipped.']),
    ...measuringNotes(medians),
  ]
  await publish(surroundings, {
    report: studyReport({ title: 'Comparison', machine, notes, medians, targets: judged }),
    json: { complete: true, machine, plan, notes, targets: judged, medians, windows },
    images: { svg: comparisonChart(medians, machine) },
  })
}
