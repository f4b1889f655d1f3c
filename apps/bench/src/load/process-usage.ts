/** CPU time and resident memory of processes, from /proc. Without /proc (macOS) neither is known. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const usageIsKnown = existsSync('/proc/self/stat')

const usPerTick = 1_000_000 / ticksPerSecond()

/** µs of user and system time of all threads of the process; 0 if it is gone. */
export const cpuOf = (pid: number): number => timesOf(pid).own

/**
 * µs of a process and its children, including ended ones: a child's time moves to its parent when it is waited for.
 * Read again if one ended meanwhile, since it would be counted twice or not at all.
 */
export function cpuWithChildren(pid: number): number {
  for (let tries = 0; ; tries++) {
    const before = timesOf(pid).ended
    const children = childrenOf(pid).reduce((total, child) => total + cpuOf(child), 0)
    const { own, ended } = timesOf(pid)
    if (ended === before || tries === 10) return own + ended + children
  }
}

/** µs that all processors together were busy, and could have been, since the machine started. */
export function machineTime(): { busy: number; stolen: number; all: number } {
  const line = read('/proc/stat').split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const busy = user + nice + system + irq + softirq
  const all = busy + idle + wait + steal
  return { busy: busy * usPerTick, stolen: steal * usPerTick, all: all * usPerTick }
}

/** Resident memory in MB; 0 if the process is gone. */
export function residentMb(pid: number): number {
  const kib = read(`/proc/${pid}/status`).match(/^VmRSS:\s+(\d+) kB/m)?.[1]
  return (Number(kib ?? 0) * 1024) / 1_000_000
}

function timesOf(pid: number): { own: number; ended: number } {
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fieldsOf(pid).slice(11, 15).map(Number)
  return { own: (user + system) * usPerTick, ended: (endedUser + endedSystem) * usPerTick }
}

function childrenOf(pid: number): number[] {
  // Not every kernel is built with the list in /proc/<pid>/task.
  return readdirSync('/proc')
    .map(Number)
    .filter(other => other > 0 && Number(fieldsOf(other)[1]) === pid)
}

/** The fields of `stat` from the third on: the program's name is in parentheses and may contain anything. */
function fieldsOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended in the meantime.
    return ''
  }
}

function ticksPerSecond(): number {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100
  } catch {
    return 100
  }
}
