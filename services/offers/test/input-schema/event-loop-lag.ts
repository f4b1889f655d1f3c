import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What the work answers, and the 99th percentile of how late the event loop was meanwhile, in milliseconds. */
export async function withLag<T>(work: () => Promise<T>): Promise<{ answer: T; lagMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const answer = await work()
  delay.disable()
  return { answer, lagMs: delay.percentile(99) / 1e6 }
}
