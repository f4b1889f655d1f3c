/** Recalls: messages to one process that count once it has acknowledged them (docs/people/leases.md). */
import type { Bus, BusLog } from './connection.ts'
import { headersOf } from './headers.ts'
import { type MuxRequest, openMux } from './mux.ts'
import { subscribeJson } from './subscribe-json.ts'

/**
 * Calls `onRecall` with each message to `subject`, parsed, and acknowledges it when that has returned. What `onRecall`
 * throws is logged, and nothing is acknowledged.
 *
 * @returns ends it
 */
export const answerRecalls = (
  bus: Bus,
  subject: string,
  log: BusLog,
  onRecall: (message: unknown) => void,
): (() => void) =>
  subscribeJson(bus, { subject, what: 'recalls' }, log, (message, msg) => {
    onRecall(message)
    msg.respond()
  })

/** Sends a message to `subject` and resolves to whether it was acknowledged within `ms`. */
export type AskForRecall = (subject: string, message: object, ms: number) => Promise<boolean>

interface Asked extends MuxRequest {
  readonly ms: number
}

export function createAskForRecall(bus: Bus): AskForRecall {
  const mux = openMux<Asked, boolean>(bus, {
    // No responder is what a holder looks like that is just coming back: it is no acknowledgement.
    read: msg => headersOf(msg).code !== 503,
    unanswered: () => false,
    deadlineOf: ({ ms }, time) => time + ms,
    now: () => performance.now(),
  })
  return (subject, message, ms) => mux.ask({ subject, body: JSON.stringify(message), ms }, {})
}
