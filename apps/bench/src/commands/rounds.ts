/** Takes the measurements in turn, with the same state of the database before each. */
import type { Contestant } from '../contestants/contestant.ts'
import type { Progress } from '../progress.ts'
import { windowLine } from '../report/report.ts'
import type { Cell, Turn } from './schedule.ts'
import type { WindowRecord } from '../report/summary.ts'
import { type Instruments, windowMs } from '../load/window.ts'

export type Plan = readonly { readonly cell: Cell; readonly turns: readonly Turn[] }[]

/** How long each window of the plan is thought to take, in ms. */
export const estimatesOf = (plan: Plan, seconds: number): number[] =>
  plan.flatMap(({ turns }) => turns.map(() => windowMs(seconds)))

export interface RoundsOptions {
  readonly plan: Plan
  readonly seconds: number
  readonly instruments: Instruments
  readonly progress: Progress
  onWindow(window: WindowRecord): void
}

export async function runRounds({ plan, seconds, instruments, progress, onWindow }: RoundsOptions) {
  for (const { cell, turns } of plan) {
    progress.heading(`${cell.workload}, ${cell.connections} connection${cell.connections === 1 ? '' : 's'}`)
    for (const contestant of contestantsOf(turns)) await contestant.reset()
    for (const { contestant, round, workload, connections } of turns) {
      const began = Date.now()
      await instruments.server`checkpoint`
      const measured = await contestant.measure({ workload, connections, seconds })
      const window = { workload, connections, round, variant: contestant.name, ...measured }
      onWindow(window)
      progress.window(windowLine(window), Date.now() - began)
    }
  }
}

/** After this long even a process with few, full messages has compiled its hot code. */
export const burnInSeconds = 15

/** Lets all processes compile their hot code before anything counts. */
export async function burnIn(contestants: readonly Contestant[], step: (text: string) => void) {
  for (const contestant of contestants.filter(({ lasting }) => lasting)) {
    const [workload] = contestant.workloads
    if (!workload) continue
    await contestant.reset()
    step(`warming up ${contestant.name}`)
    await contestant.measure({ workload, connections: 32, seconds: burnInSeconds })
  }
}

const contestantsOf = (turns: readonly Turn[]): Contestant[] => [
  ...new Set(turns.map(turn => turn.contestant)),
]
