/** What a run of `targets` measures, derived from the targets, and how long all of it is thought to take. */
import { calm, oneReplica, productName, revoking } from '../contestants/contestant.ts'
import { windowMs } from '../load/window.ts'
import { type Workload, workloadNames } from '../load/workloads.ts'
import { sum } from '../report/statistics.ts'
import { type RelativeTarget, relativeTargets, revocationsTarget } from '../report/targets.ts'
import { burnInSeconds } from './rounds.ts'
import type { Cell } from './schedule.ts'

export interface PlannedCell extends Cell {
  readonly variants: readonly string[]
  readonly rounds: number
  /** Length of one window. */
  readonly seconds: number
}

/** Beside whom the row "one connection" of every workload is shown: the peer that does best there. */
const fastestPeer = 'monolith-statement-4x1'

/**
 * In this order: those with most variants first, since each ends with its last cell. Idle processes take some of the
 * speed of those that are measured.
 */
export function planTargets({ quick }: { readonly quick: boolean }): PlannedCell[] {
  const compared = neededCells(relativeTargets.filter(({ variant }) => variant === productName))
  const others = neededCells(relativeTargets.filter(({ variant }) => variant !== productName))
  const judged = (workload: Workload) =>
    compared.some(cell => cell.workload === workload && cell.connections === 1)
  const rows = workloadNames
    .filter(workload => !judged(workload))
    .map(workload => ({ workload, connections: 1, variants: [productName, fastestPeer] }))
  const plan = [
    ...compared
      .sort((a, b) => b.variants.length - a.variants.length)
      .map(cell => ({ ...cell, ...effort(cell) })),
    ...rows.map(cell => ({ ...cell, rounds: 2, seconds: 2 })),
    ...others.map(cell => ({ ...cell, ...effort(cell) })),
  ]
  return quick ? plan.map(cell => ({ ...cell, rounds: 1, seconds: 0.5 })) : plan
}

/** A 99th percentile varies more than a rate, and a rate more than the median of one connection. */
function effort({ variants, connections }: Cell & Pick<PlannedCell, 'variants'>) {
  if (variants.includes(revocationsTarget.variant)) return { rounds: 7, seconds: 5 }
  return { rounds: 5, seconds: connections === 1 ? 2 : 3 }
}

/** The cells that these targets need, each with everyone whom it is measured for. */
function neededCells(targets: readonly RelativeTarget[]) {
  const cells = new Map<string, Cell & { variants: string[] }>()
  for (const { workload, connections, variant, peers } of targets) {
    const key = `${workload} ${connections} ${variant}`
    const variants = [...new Set([...(cells.get(key)?.variants ?? []), variant, ...peers])]
    cells.set(key, { workload, connections, variants })
  }
  return [...cells.values()]
}

/** Whose processes a variant is measured on. */
const hostOf = (variant: string): string =>
  [calm, revoking, oneReplica].includes(variant) ? productName : variant

/** Whoever has to be up for the cell. */
export const hostsOf = ({ variants }: PlannedCell): string[] => [...new Set(variants.map(hostOf))]

/** The last cell for which they have to be up. */
export const lastOf = (plan: readonly PlannedCell[], host: string): PlannedCell =>
  plan.findLast(cell => hostsOf(cell).includes(host)) as PlannedCell

/** The plan for the one who waits, a line for each cell. */
export const planLines = (plan: readonly PlannedCell[]): string[] =>
  plan.map(
    ({ workload, connections, variants, rounds, seconds }) =>
      `${workload.padEnd(9)} ${String(connections).padStart(3)}  ${rounds} × ${seconds} s  ${variants.join(', ')}`,
  )

// Measured on 2 cores. A start includes the check that the variant does the work; pgbench has none, and no warm-up, but
// its windows take a second longer.
const sceneMs = 6_000
const startMs = 3_000
const resetMs = 300

/** How long a run of the plan takes, installing and building left out. */
export function durationOf(plan: readonly PlannedCell[], { quick }: { readonly quick: boolean }): number {
  const hosts = new Set(plan.flatMap(hostsOf))
  const burnInMs = quick ? 0 : burnInSeconds * 1000
  return (
    sceneMs +
    hosts.size * (startMs + burnInMs) +
    sum(plan.map(({ variants }) => variants.length * resetMs)) +
    sum(estimatesOfPlan(plan))
  )
}

/** How long each window is thought to take, in ms. */
export const estimatesOfPlan = (plan: readonly PlannedCell[]): number[] =>
  plan.flatMap(({ variants, rounds, seconds }) =>
    Array.from({ length: rounds * variants.length }, () => windowMs(seconds)),
  )
