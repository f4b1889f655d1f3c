/** All that the targets need in one run, and whether each of them is met. */
import { peersFolderOf, smokeNote, type Surroundings } from './compare.ts'
import type { Contestant } from '../contestants/contestant.ts'
import { postgresSettings } from '../contestants/field.ts'
import { peersFolder as ownPeers, readPeers } from '../contestants/variants.ts'
import { openResults } from '../files.ts'
import type { Options } from '../options.ts'
import { createProgress, duration } from '../progress.ts'
import { comparisonChart } from '../report/chart.ts'
import { summarise, type WindowRecord } from '../report/summary.ts'
import { targetsOf } from '../report/targets.ts'
import { comparedIn, targetsReport } from '../report/targets-report.ts'
import { burnIn, runRounds } from './rounds.ts'
import { setScene } from '../scene.ts'
import { startContestants } from './started-contestants.ts'
import { turnsOf } from './schedule.ts'
import { durationOf, estimatesOfPlan, planLines, planTargets } from './targets-plan.ts'

export async function targets(options: Options, { cleanup, say, print, preparePeers }: Surroundings) {
  const { quick } = options
  const plan = planTargets({ quick })
  for (const line of planLines(plan)) say(line)
  say(`${duration(durationOf(plan, { quick }))} in all, starts and warm-ups included`)
  const peersFolder = peersFolderOf(options)
  const peers = await readPeers(peersFolder)
  if (peersFolder === ownPeers) await preparePeers()

  const began = Date.now()
  const step = (text: string) => say(`  … ${text}`)
  step('PostgreSQL and the seed')
  const connections = Math.max(...plan.map(cell => cell.connections))
  const scene = await setScene(cleanup, connections, postgresSettings)
  const warmUp = async (contestants: readonly Contestant[]) => {
    if (!quick) await burnIn(contestants, step)
  }
  const started = await startContestants({ plan, peers, peersFolder, step, warmUp }, scene)
  const { machine, notes } = started

  const results = await openResults(options.out, 'targets')
  const windows: WindowRecord[] = []
  const json = (complete: boolean) => {
    const medians = summarise(windows)
    const content = { complete, machine, plan, notes, targets: targetsOf(medians), medians, windows }
    return `${JSON.stringify(content, null, 1)}\n`
  }
  const forget = cleanup.add(async () => {
    if (windows.length > 0) say(`What was measured so far: ${await results.write('json', json(false))}`)
  })
  const progress = createProgress(estimatesOfPlan(plan), say)
  for (const cell of plan) {
    const contestants = await started.enter(cell)
    await runRounds({
      plan: [{ cell, turns: turnsOf(cell, contestants, cell.rounds) }],
      seconds: cell.seconds,
      instruments: scene.instruments,
      progress,
      onWindow: window => void windows.push(window),
    })
    await started.leave(cell)
  }

  forget()
  const medians = summarise(windows)
  const report = targetsReport(medians, machine, [
    ...(quick ? [smokeNote] : []),
    `Measured in ${duration(Date.now() - began)}.`,
    ...notes,
  ])
  print(report)
  const written = [
    await results.write('json', json(true)),
    await results.write('md', `${report}\n`),
    await results.write('svg', comparisonChart(comparedIn(medians), machine, ['pgbench'])),
  ]
  print(`\n${written.join('\n')}`)
}
