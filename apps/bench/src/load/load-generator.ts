/** The load generator, as the harness sees it. */
import { type Child, startChild } from './child.ts'
import type { Acknowledged, LoadOrder, Mark } from './load.ts'

export interface LoadGenerator extends Pick<Child, 'pid' | 'failure' | 'close'> {
  start(order: LoadOrder): Promise<void>
  /** What was answered since the previous mark. */
  mark(): Promise<Mark>
  /** Sends nothing more; resolves when all that was sent is answered. */
  stop(): Promise<Acknowledged>
}

export async function startLoadGenerator(): Promise<LoadGenerator> {
  const { ask, ...child } = await startChild('load-process')
  return {
    ...child,
    start: order => ask('start', order),
    mark: () => ask('mark'),
    stop: () => ask('stop'),
  }
}
