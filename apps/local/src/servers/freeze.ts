import { readdirSync, readFileSync } from 'node:fs'
import { waitUntil } from '../wait-until.ts'

/**
 * Sends SIGSTOP to the processes and waits until they are stopped: a thread on another processor may answer until it
 * next enters the kernel. Without /proc it does not wait.
 */
export async function freeze(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGSTOP')
    } catch {
      // It has ended in the meantime.
    }
  }
  await waitUntil('they stand still', () => pids.every(standsStill), { everyMs: 5 })
}

function standsStill(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.every(thread => isStopped(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')))
  } catch {
    return true
  }
}

/** The state follows the name, which is in parentheses and may contain some itself: proc_pid_stat(5). */
const isStopped = (stat: string) =>
  ['T', 't', 'Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '')
