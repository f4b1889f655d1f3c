// The processor time of one worker thread. Node.js 20 tells that of the whole process only, in which the service's own
// work and the other threads count too; Linux tells each thread's.
import { readFileSync, readlinkSync } from 'node:fs'

/** Shared by both threads: the worker writes its id, the service's thread reads it. */
export const newThreadId = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))

/** To be called by the worker, once. */
export function writeThreadId(id: Int32Array): void {
  Atomics.store(id, 0, ownThreadId() ?? unknown)
}

/**
 * Milliseconds of processor time that the thread has used; undefined where it has not started yet. Where its own is not
 * known it is that of the process, which is the most that it can be.
 */
export function threadMs(id: Int32Array): number | undefined {
  const tid = Atomics.load(id, 0)
  if (tid === 0) return undefined
  try {
    // Nanoseconds on a processor come first.
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
    // Of another process where /proc shows another namespace's ids.
    return Number(pid) === process.pid ? Number(tid) : undefined
  } catch {
    // Not Linux.
    return undefined
  }
}
