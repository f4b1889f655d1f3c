/** The order of measurements: every round has each variant once, starting with a different one. */
import type { Contestant } from '../contestants/contestant.ts'
import type { Options } from '../options.ts'
import { rotate } from '../report/statistics.ts'
import { type Workload, workloadNames } from '../load/workloads.ts'

export interface Cell {
  readonly workload: Workload
  readonly connections: number
}

export interface Turn extends Cell {
  readonly round: number
  readonly contestant: Contestant
}

export const usualConnections = [1, 32, 256]
/** One more for the main workload. */
const furtherConnections: Partial<Record<Workload, readonly number[]>> = { product: [128] }

export const connectionsOf = (workload: Workload, asked: readonly number[] | undefined): number[] =>
  [...(asked ?? [...usualConnections, ...(furtherConnections[workload] ?? [])])].sort((a, b) => a - b)

/** In the order of the workloads' list. */
export const cellsOf = ({ workloads, connections }: Pick<Options, 'workloads' | 'connections'>): Cell[] =>
  workloadNames
    .filter(name => workloads.includes(name))
    .flatMap(workload =>
      connectionsOf(workload, connections).map(number => ({ workload, connections: number })),
    )

export const turnsOf = (cell: Cell, contestants: readonly Contestant[], rounds: number): Turn[] => {
  const taking = contestants.filter(({ workloads }) => workloads.includes(cell.workload))
  return Array.from({ length: rounds }, (_, round) =>
    rotate(taking, round).map(contestant => ({ ...cell, round: round + 1, contestant })),
  ).flat()
}
