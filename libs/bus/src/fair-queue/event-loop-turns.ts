import { createFairQueue, type FairQueueOptions, type Flow } from './fair-queue.ts'

/**
 * Resolves in a turn of the event loop that has room, to which the synchronous work that follows belongs.
 *
 * @param deadline Unix milliseconds; none by default
 * @throws ApiError `Unavailable` at the deadline
 */
export type AwaitTurn = (flow: Flow, deadline?: number) => Promise<void>

/**
 * Spreads work over turns of the event loop, shared fairly like slots: other callbacks run in between, and Node.js
 * accepts new connections, one per turn.
 *
 * @param options how many start in one turn
 */
export function createEventLoopTurns(options: Pick<FairQueueOptions, 'slots' | 'spare'>): AwaitTurn {
  const queue = createFairQueue({ ...options, max: Number.POSITIVE_INFINITY })
  return async (flow, deadline = Number.POSITIVE_INFINITY) => {
    setImmediate(await queue.enter(flow, deadline))
  }
}
