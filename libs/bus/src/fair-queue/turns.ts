/**
 * What is heavy for the event loop begins once in each of its turns, and tenants take turns: whoever sends much of it waits, and what
 * is light passes between.
 */
import { createFairQueue, type Flow } from './fair-queue.ts'

/**
 * @param work its synchronous part, up to its first `await`, is what the turn is for
 * @param deadline Unix milliseconds; what has not begun then is refused
 * @throws ApiError `Unavailable`
 */
export type InTurn = <T>(flow: Flow, deadline: number, work: () => Promise<T>) => Promise<T>

export function createTurns(): InTurn {
  const queue = createFairQueue({ slots: 1, max: Number.POSITIVE_INFINITY })
  return async (flow, deadline, work) => {
    const leave = await queue.enter(flow, deadline)
    try {
      return work()
    } finally {
      setImmediate(leave)
    }
  }
}
