import type { Bus, BusLog } from './connection.ts'
import { headersOf } from './headers.ts'
import { type MuxRequest, openMux } from './mux.ts'
import { subscribeJson } from './subscribe-json.ts'

/**
 * Calls `onRecall` with each parsed message to `subject`, and acknowledges the message afterwards. An error is
 * logged, and the message not acknowledged.
 *
 * @returns a function that stops it
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
    // A holder that is just coming back has no responder yet: this is no acknowledgement.
    read: msg => headersOf(msg).code !== 503,
    unanswered: () => false,
    deadlineOf: ({ ms }, time) => time + ms,
    now: () => performance.now(),
  })
  return (subject, message, ms) => mux.ask({ subject, body: JSON.stringify(message), ms }, {})
}
