/**
 * Answers of services arrive in bursts, and each triggers the next request of its client. A turn of the event
 * loop that handled all of them would be long, and new requests and connections (Node.js accepts one per
 * turn) would wait for several such turns. So each turn forwards a few, shared fairly like the slots.
 */
import { createFairQueue, type Flow } from '@svc/bus/fair-queue/fair-queue'

const perTurn = 16

/** Resolves in a turn that has room for one more answer. */
export type AwaitTurn = (flow: Flow) => Promise<void>

export function createAnswerTurns(): AwaitTurn {
  const turns = createFairQueue({ slots: perTurn, spare: perTurn / 2, max: Number.POSITIVE_INFINITY })
  return async flow => {
    // An answer that has arrived is delivered, however late.
    setImmediate(await turns.enter(flow, Number.POSITIVE_INFINITY))
  }
}
