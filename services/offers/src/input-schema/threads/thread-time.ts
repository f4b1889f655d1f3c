/**
 * The processor time of one worker thread. Node.js 20 reports only that of the whole process, which includes the service's
 * own work and the other threads; Linux reports it per thread.
 */
import { readFileSync, readlinkSync } from 'node:fs'

/** Shared memory: the worker writes its id, the service's thread reads it. */
export const newThreadId = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))

export function writeThreadId(id: Int32Array): void {
  Atomics.store(id, 0, ownThreadId() ?? unknown)
}

/**
 * In milliseconds; `undefined` if the thread has not started yet. If its own time is unknown, that of the process,
 * which is an upper bound.
 */
export function threadMs(id: Int32Array): number | undefined {
  const tid = Atomics.load(id, 0)
  if (tid === 0) return undefined
  try {
    // The first number is the time spent on a processor, in nanoseconds.
    const [used = ''] = readFileSync(`/proc/self/task/${tid}/schedstat`, 'utf8').split(' ')
    return Number(used) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

const unknown = -1

function ownThreadId(): number | undefined {
  try {
    const [pid, , tid] = readlinkSync('/proc/thread-self').split('/')
    // They differ if /proc shows the ids of another namespace.
    return Number(pid) === process.pid ? Number(tid) : undefined
  } catch {
    return undefined
  }
}
