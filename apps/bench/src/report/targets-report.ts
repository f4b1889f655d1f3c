/** The report of a run of `targets`: the comparison, the product beside itself, and every target. */
import { calm, oneReplica, revoking, twoReplicas } from '../contestants/contestant.ts'
import { steadyLoadLabel } from '../contestants/steady-load.ts'
import type { Machine } from '../machine.ts'
import { comparisonReport, measuringNote, othersNote, sideBySide } from './report.ts'
import type { Summary } from './summary.ts'
import { targetsOf } from './targets.ts'

const replicas = [oneReplica, twoReplicas]
const revocations = [calm, revoking]

export function targetsReport(
  medians: readonly Summary[],
  machine: Machine,
  notes: readonly string[],
): string {
  const of = (names: readonly string[]) => medians.filter(({ variant }) => names.includes(variant))
  return comparisonReport(
    comparedIn(medians),
    targetsOf(medians),
    machine,
    [...notes, ...measuringNote(medians), ...othersNote(medians)],
    [
      `## Replicas: POST /offers\n\n${sideBySide(of(replicas))}`,
      `## Revocations: ${steadyLoadLabel}\n\n${sideBySide(of(revocations))}`,
    ],
  )
}

/** What was measured beside peers and floors. */
export const comparedIn = (medians: readonly Summary[]): Summary[] =>
  medians.filter(({ variant }) => ![...replicas, ...revocations].includes(variant))
