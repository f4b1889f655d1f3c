/** The product at a steady rate of requests, calm and while other tokens are revoked, in turns. */
import type { Surroundings } from './compare.ts'
import { postgresSettings } from '../contestants/field.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { revocationContestants } from '../contestants/revocations.ts'
import { maxSteadySeconds, steadyConnections, steadyLoadLabel } from '../contestants/steady-load.ts'
import { openResults } from '../files.ts'
import { describeMachine, machineLine } from '../machine.ts'
import { type Options, UsageError } from '../options.ts'
import { createProgress } from '../progress.ts'
import { sideBySide, targetTable } from '../report/report.ts'
import { summarise, type WindowRecord } from '../report/summary.ts'
import { judgeRelative, revocationsTarget } from '../report/targets.ts'
import { burnIn, estimatesOf, runRounds } from './rounds.ts'
import { setScene } from '../scene.ts'
import { turnsOf } from './schedule.ts'

export async function revocations(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  const { rounds, seconds } = options
  if (seconds > maxSteadySeconds) {
    throw new UsageError(
      `Of "revocations", --seconds is at most ${maxSteadySeconds}: a workspace has no more tokens to be revoked.`,
    )
  }
  say('  … PostgreSQL, the seed and the product')
  const scene = await setScene(cleanup, steadyConnections, postgresSettings)
  const { seed, servers, instruments } = scene
  const { product, contestant } = await productContestant(
    { name: 'revocations', label: 'the product', seed },
    scene,
  )
  const machine = await describeMachine(servers, product.stack.nats?.port)
  await burnIn([contestant], text => say(`  … ${text}`))
  const contestants = await revocationContestants(contestant, product.stack.gateways[0]?.url ?? '', seed)
  const cell = { workload: revocationsTarget.workload, connections: steadyConnections }
  const plan = [{ cell, turns: turnsOf(cell, contestants, rounds) }]
  const windows: WindowRecord[] = []
  await runRounds({
    plan,
    seconds,
    instruments,
    progress: createProgress(estimatesOf(plan, seconds), say),
    onWindow: window => void windows.push(window),
  })

  const medians = summarise(windows)
  const targets = [judgeRelative(revocationsTarget, medians)]
  const report = [
    `# Revocations: ${steadyLoadLabel}\n\n${machineLine(machine)}`,
    sideBySide(medians),
    targetTable(targets),
  ].join('\n\n')
  print(report)
  const results = await openResults(options.out, 'revocations')
  const json = JSON.stringify({ machine, targets, medians, windows }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
}
