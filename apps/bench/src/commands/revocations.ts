/** The product at a steady rate of requests, calm and while other tokens are revoked, in turns. */
import { productContestant } from '../contestants/product-contestant.ts'
import { maxSteadySeconds, revocationContestants, steadyLoadLabel } from '../contestants/revocations.ts'
import { UsageError } from '../options.ts'
import { studyReport } from '../report/report.ts'
import { summarise } from '../report/summary.ts'
import { judgeRelative, revocationsTarget } from '../report/targets.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import { burnIn, measureAll } from './rounds.ts'

export async function revocations(surroundings: Surroundings): Promise<void> {
  const { options } = surroundings
  if (options.seconds > maxSteadySeconds) {
    throw new UsageError(
      `Of "revocations", --seconds is at most ${maxSteadySeconds}: a workspace has no more tokens to be revoked.`,
    )
  }
  const scene = await setScene(surroundings, revocationsTarget.connections)
  const product = await productContestant('revocations', scene)
  await burnIn([product], surroundings)
  const contestants = await revocationContestants(product, scene.seed)
  const windows = await measureAll(contestants, [revocationsTarget], scene, surroundings)
  const [medians, { machine }] = [summarise(windows), scene]
  const targets = [judgeRelative(revocationsTarget, medians)]
  await publish(surroundings, {
    report: studyReport({ title: `Revocations: ${steadyLoadLabel}`, machine, medians, targets }),
    json: { machine, targets, medians, windows },
  })
}
