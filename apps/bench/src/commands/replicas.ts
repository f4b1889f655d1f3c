/** The product with one and with two replicas of each service, both running, in turns. */
import type { Surroundings } from './compare.ts'
import { oneReplica, twoReplicas } from '../contestants/contestant.ts'
import { postgresSettings } from '../contestants/field.ts'
import { openResults } from '../files.ts'
import { describeMachine, machineLine } from '../machine.ts'
import type { Options } from '../options.ts'
import { createProgress } from '../progress.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { sideBySide, targetTable } from '../report/report.ts'
import { burnIn, estimatesOf, runRounds } from './rounds.ts'
import { type Scene, setScene } from '../scene.ts'
import { turnsOf } from './schedule.ts'
import { summarise, type WindowRecord } from '../report/summary.ts'
import { judgeRelative, replicasTarget } from '../report/targets.ts'

const usualConnections = [32]

export async function replicas(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  const { rounds, seconds } = options
  const connections = options.connections ?? usualConnections
  say('  … PostgreSQL, the seed and both stacks')
  const scene = await setScene(cleanup, Math.max(...connections), postgresSettings)
  const { seed, servers, instruments } = scene
  const single = await productContestant(
    { name: oneReplica, label: 'one replica of each service', seed },
    scene,
  )
  const double = await startTwoReplicas(scene)
  const machine = await describeMachine(servers, single.product.stack.nats?.port)
  const contestants = [single.contestant, double.contestant]
  await burnIn(contestants, text => say(`  … ${text}`))
  const plan = connections
    .map(number => ({ workload: 'product' as const, connections: number }))
    .map(cell => ({ cell, turns: turnsOf(cell, contestants, rounds) }))
  const windows: WindowRecord[] = []
  await runRounds({
    plan,
    seconds,
    instruments,
    progress: createProgress(estimatesOf(plan, seconds), say),
    onWindow: window => void windows.push(window),
  })

  const medians = summarise(windows)
  const targets = connections.map(number => judgeRelative(replicasTarget(number), medians))
  const report = [
    `# Replicas: POST /offers\n\n${machineLine(machine)}`,
    sideBySide(medians),
    targetTable(targets),
  ].join('\n\n')
  print(report)
  const results = await openResults(options.out, 'replicas')
  const json = JSON.stringify({ machine, targets, medians, windows }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
}

export const startTwoReplicas = (scene: Scene) =>
  productContestant(
    {
      name: twoReplicas,
      label: 'two replicas of each service',
      seed: scene.seed,
      replicas: { offers: 2, 'auth-tokens': 2, compute: 2 },
    },
    scene,
  )
