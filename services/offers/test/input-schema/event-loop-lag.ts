import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The result of the work, and the 99th percentile of the event loop's delay during it, in milliseconds. */
export async function withLag<T>(work: () => Promise<T>): Promise<{ answer: T; lagMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const answer = await work()
  delay.disable()
  return { answer, lagMs: delay.percentile(99) / 1e6 }
}
