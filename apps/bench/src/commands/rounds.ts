/** Takes the windows of a plan in turn, with the same state of the database before each. */
import { type Contestant, pgbenchName } from '../contestants/contestant.ts'
import { windowLine } from '../report/report.ts'
import { sum } from '../report/statistics.ts'
import type { WindowRecord } from '../report/summary.ts'
import type { Scene } from '../scene.ts'
import { asJson, type Surroundings, writeResult } from './command.ts'
import { burnInSeconds, type Cell, type PlannedCell, turnsOf, windowMs } from './plan.ts'

export interface Entrants {
  /** Everyone of the cell, started. */
  enter(cell: PlannedCell): Promise<readonly Contestant[]>
  /** Stops those that no later cell needs. */
  leave?(cell: PlannedCell): Promise<void>
}

export async function runRounds(
  plan: readonly PlannedCell[],
  { enter, leave }: Entrants,
  { machine, instruments }: Scene,
  { options, cleanup, say }: Surroundings,
): Promise<WindowRecord[]> {
  const windows: WindowRecord[] = []
  const forget = cleanup.add(async () => {
    const json = asJson({ complete: false, machine, windows })
    if (windows.length > 0) say(`What was measured so far: ${await writeResult(options, 'json', json)}`)
  })
  const estimates = plan.flatMap(cell =>
    Array.from({ length: cell.rounds * cell.variants.length }, () => windowMs(cell)),
  )
  say(`${estimates.length} windows, ${duration(sum(estimates))} in all`)
  for (const cell of plan) {
    const { workload, connections, rounds, seconds, variants } = cell
    const base = variants[0] ?? ''
    say(`${workload}, ${connections} connection${connections === 1 ? '' : 's'}`)
    const contestants = await enter(cell)
    for (const contestant of contestants) await contestant.reset()
    for (const { round, contestant } of turnsOf(contestants, rounds)) {
      await instruments.server`checkpoint`
      const measured = await contestant.measure({ workload, connections, seconds })
      const window = { workload, connections, base, round, variant: contestant.name, ...measured }
      windows.push(window)
      const left = duration(sum(estimates.slice(windows.length)))
      say(`${windows.length}/${estimates.length}  ${windowLine(window)}  ${left} left`)
    }
    await leave?.(cell)
  }
  forget()
  return windows
}

/** Measures them in turn, with the rounds and seconds of the command line. */
export function measureAll(
  contestants: readonly Contestant[],
  cells: readonly Cell[],
  scene: Scene,
  surroundings: Surroundings,
): Promise<WindowRecord[]> {
  const { rounds, seconds } = surroundings.options
  const variants = contestants.map(({ name }) => name)
  const plan = cells.map(({ workload, connections }) => ({
    workload,
    connections,
    rounds,
    seconds,
    variants,
  }))
  return runRounds(plan, { enter: async () => contestants }, scene, surroundings)
}

/** Lets all processes compile their hot code before anything counts. */
export async function burnIn(
  contestants: readonly Contestant[],
  { say }: Pick<Surroundings, 'say'>,
  seconds = burnInSeconds,
) {
  for (const contestant of contestants.filter(({ name }) => name !== pgbenchName)) {
    await contestant.reset()
    say(`  … warming up ${contestant.name}`)
    await contestant.measure({ workload: 'product', connections: 32, seconds })
  }
}

/** `about 12 min` */
export const duration = (ms: number): string =>
  `about ${ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1000)} s`}`
