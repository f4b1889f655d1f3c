/**
 * Answers of services come many at once, and each brings the next request of who waited for it. A turn of the event loop that
 * took all of them would be as long as they are many, and whoever else sends a request, or opens a connection, of which Node.js
 * accepts one in a turn, would wait for several such turns. So a turn passes on a few, shared as places are.
 */
import { createFairQueue, type Flow } from '@svc/bus/fair-queue'

const perTurn = 16

/** Settles in a turn that has room for one more answer. */
export type AwaitTurn = (flow: Flow) => Promise<void>

export function createAnswerTurns(): AwaitTurn {
  const turns = createFairQueue({ places: perTurn, spare: perTurn / 2, max: Number.POSITIVE_INFINITY })
  return async flow => {
    // An answer that is here is given, however late.
    setImmediate(await turns.enter(flow, Number.POSITIVE_INFINITY))
  }
}
