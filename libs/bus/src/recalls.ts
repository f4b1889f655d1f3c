import { nuid } from 'nats'
import type { Bus, BusLog } from './connection.ts'
import { holdWhileMoving } from './leave-server.ts'
import { rawHeadersOf } from './nats-internals/raw-headers.ts'
import { subscribeJson } from './subscribe-json.ts'

/**
 * Calls `onRecall` with each parsed message to one of the subjects, and acknowledges the message afterwards, as this
 * holder. An error is logged, and the message not acknowledged.
 *
 * @returns a function that stops it
 */
export function answerRecalls(
  bus: Bus,
  { holder, subjects }: { readonly holder: string; readonly subjects: readonly string[] },
  log: BusLog,
  onRecall: (message: unknown) => void,
): () => void {
  const ends = subjects.map(subject =>
    subscribeJson(bus, { subject, what: 'recalls' }, log, (message, msg) => {
      onRecall(message)
      msg.respond(holder)
    }),
  )
  return () => {
    for (const end of ends) end()
  }
}

/** A message that is sent until all who matter have acknowledged it. */
export interface RecallQuestion {
  /** @param holder whose subject it is; absent: those who acknowledge say who they are */
  ask(subject: string, holder?: string): void
  /** Later acknowledgements are ignored. */
  end(): void
}

export type OpenRecallQuestion = (message: object, acknowledged: (holder: string) => void) => RecallQuestion

/** All questions share an inbox: there may be a thousand acknowledgements of each. */
export function createRecallQuestions(bus: Bus): OpenRecallQuestion {
  const inbox = `_INBOX.${bus.user}.${nuid.next()}`
  const decoder = new TextDecoder()
  const open = new Map<string, (holder: string) => void>()
  const sent = new Set<string>()
  const held = holdWhileMoving(bus, () => sent.size)
  let counter = 0

  bus.nc.subscribe(`${inbox}.>`, {
    callback: (error, msg) => {
      if (error) return
      const [token = '', , holder] = msg.subject.slice(inbox.length + 1).split('.')
      // A holder that is just coming back has no responder yet: this is no acknowledgement.
      if (rawHeadersOf(msg) === undefined) open.get(token)?.(holder ?? decoder.decode(msg.data))
    },
  })

  return (message, acknowledged) => {
    const body = JSON.stringify(message)
    const token = (++counter).toString(36)
    open.set(token, acknowledged)
    const send = (subject: string, reply: string) => {
      if (!bus.connected || !open.has(token)) return
      try {
        bus.nc.publish(subject, body, { reply })
        sent.add(token)
      } catch {
        // What was not sent is not acknowledged.
      }
    }
    let asked = 0
    return {
      ask(subject, holder) {
        // The server lets each reply subject be used once.
        const once = `${inbox}.${token}.${asked++}`
        const reply = holder === undefined ? once : `${once}.${holder}`
        const moving = held()
        if (moving) void moving.then(() => send(subject, reply))
        else send(subject, reply)
      },
      end() {
        open.delete(token)
        sent.delete(token)
      },
    }
  }
}
