/** What a run measures: cells, who takes part in each, and how long all of it is thought to take. */
import {
  calm,
  oneReplica,
  pgbenchName,
  productName,
  restricted,
  revoking,
} from '../contestants/contestant.ts'
import { warmUpMs } from '../load/window.ts'
import { type Workload, workloadNames } from '../load/workloads.ts'
import type { Options } from '../options.ts'
import { rotate, sum } from '../report/statistics.ts'
import { type RelativeTarget, relativeTargets, revocationsTarget } from '../report/targets.ts'

export interface Cell {
  readonly workload: Workload
  readonly connections: number
}

export interface PlannedCell extends Cell {
  readonly variants: readonly string[]
  readonly rounds: number
  /** Length of one window. */
  readonly seconds: number
}

/** Every workload with those variants; pgbench has one. */
export const planComparison = (
  { workloads, connections, rounds, seconds }: Options,
  variants: readonly string[],
): PlannedCell[] =>
  workloadNames
    .filter(name => workloads.includes(name))
    .flatMap(workload =>
      [...(connections ?? [1, 32, 256, ...(workload === 'product' ? [128] : [])])]
        .sort((a, b) => a - b)
        .map(number => ({
          ...{ workload, connections: number, rounds, seconds },
          variants: variants.filter(name => name !== pgbenchName || workload === 'product'),
        })),
    )
    .filter(cell => cell.variants.length > 0)

/** Beside whom the row "one connection" of every workload is shown: the peer that does best there. */
const fastestPeer = 'monolith-statement-4x1'

/**
 * In this order: those with most variants first, since each ends with its last cell. Idle processes take some of the
 * speed of those that are measured.
 */
export function planTargets({ quick }: Pick<Options, 'quick'>): PlannedCell[] {
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
    const more = variant === productName ? [variant, ...peers] : [...peers, variant]
    const variants = [...new Set([...(cells.get(key)?.variants ?? []), ...more])]
    cells.set(key, { workload, connections, variants })
  }
  return [...cells.values()]
}

/** Hosts that have to be up for the cell. */
export const hostsOf = ({ variants }: PlannedCell): string[] => [
  ...new Set(
    variants.map(name => ([calm, revoking, oneReplica, restricted].includes(name) ? productName : name)),
  ),
]

/** The last cell for which they have to be up. */
export const lastOf = (plan: readonly PlannedCell[], host: string): PlannedCell | undefined =>
  plan.findLast(cell => hostsOf(cell).includes(host))

/** The order of a cell's windows: every round has each contestant once, starting with a different one. */
export const turnsOf = <T>(contestants: readonly T[], rounds: number) =>
  Array.from({ length: rounds }, (_, round) =>
    rotate(contestants, round).map(contestant => ({ round: round + 1, contestant })),
  ).flat()

/** What a window takes beside warm-up and measurement: the row check and the checkpoint. */
const overheadMs = 300

/** How long each window of a cell is thought to take. */
export const windowMs = ({ seconds }: Pick<PlannedCell, 'seconds'>): number =>
  warmUpMs + seconds * 1000 + overheadMs

/** After this long even a process with few, full messages has compiled its hot code. */
export const burnInSeconds = 15

// Measured on 2 cores. A start includes the check that the variant does the work.
const sceneMs = 6_000
const startMs = 3_000
const resetMs = 300

/** How long a run of the plan takes, in ms, installing and building left out. */
export const durationOf = (plan: readonly PlannedCell[], { quick }: Pick<Options, 'quick'>): number =>
  sceneMs +
  new Set(plan.flatMap(hostsOf)).size * (startMs + (quick ? 0 : burnInSeconds * 1000)) +
  sum(plan.map(cell => cell.variants.length * (resetMs + cell.rounds * windowMs(cell))))
