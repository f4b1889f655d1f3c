/** CPU per request of each process over a stretch of time. */
import type { Mark } from './load.ts'
import { cpuOf, cpuWithChildren, machineTime, residentMb, usageIsKnown } from './process-usage.ts'
import { ratio, sum } from '../report/statistics.ts'

export interface Use {
  /** µs per request by process; PostgreSQL with all its children. Absent where there is no /proc. */
  readonly cpu_us?: Readonly<Record<string, number>>
  /** Their sum, without what belongs to the measurement. */
  readonly cpu_total_us?: number
  /** µs per request of what belongs to the measurement: the load generator, and the harness that reads the log. */
  readonly measuring_us?: Readonly<Record<string, number>>
  /** MB by process, at the end. PostgreSQL's is left out: its processes share most of theirs. */
  readonly resident_mb?: Readonly<Record<string, number>>
  /** The share of the machine's time that went to unrelated processes; should be next to nothing. */
  readonly others_share?: number
}

/** Process ids by name. */
export type Pids = Readonly<Record<string, number>>

export interface Metered {
  readonly processes: Pids
  /** Counted with their children. */
  readonly trees?: Pids
  readonly measuring?: Pids
}

export interface Meter {
  /** Ends a stretch and begins the next one. The result computes the use per request once the requests are counted. */
  lap(): (mark: Pick<Mark, 'ms' | 'requests'>) => Use
}

export function startMeter({ processes, trees = {}, measuring = {} }: Metered): Meter {
  if (!usageIsKnown) return { lap: () => () => ({}) }
  // The harness may be what is metered, or the load generator; its time is counted once.
  const harnessIsNamed = Object.values({ ...processes, ...measuring }).includes(process.pid)
  const unnamed: Pids = harnessIsNamed ? {} : { harness: process.pid }
  const read = () => ({
    at: performance.now(),
    cpu: { ...each(processes, cpuOf), ...each(trees, cpuWithChildren) },
    measuring: each({ ...measuring, ...unnamed }, cpuOf),
    machine: machineTime(),
  })
  let last = read()
  return {
    lap() {
      const from = last
      const to = read()
      const resident_mb = each(processes, residentMb)
      const others_share = othersShare(from, to)
      last = to
      return ({ ms, requests }) => {
        // The count and the readings are some milliseconds apart: rates are compared, not amounts.
        const share = ratio(ms / (to.at - from.at), requests) ?? Number.NaN
        const spent = (before: Record<string, number>, after: Record<string, number>) =>
          Object.fromEntries(
            Object.entries(after).map(([name, us]) => [name, (us - (before[name] ?? 0)) * share]),
          )
        const cpu_us = spent(from.cpu, to.cpu)
        return {
          cpu_us,
          cpu_total_us: sum(Object.values(cpu_us)),
          measuring_us: spent(from.measuring, to.measuring),
          resident_mb,
          others_share,
        }
      }
    },
  }
}

interface Reading {
  readonly cpu: Readonly<Record<string, number>>
  readonly measuring: Readonly<Record<string, number>>
  readonly machine: ReturnType<typeof machineTime>
}

function othersShare(from: Reading, to: Reading): number {
  const unknown = ({ machine, cpu, measuring }: Reading) =>
    machine.busy + machine.stolen - sum([...Object.values(cpu), ...Object.values(measuring)])
  return Math.max(0, ratio(unknown(to) - unknown(from), to.machine.all - from.machine.all) ?? 0)
}

const each = (pids: Pids, read: (pid: number) => number): Record<string, number> =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, read(pid)]))
