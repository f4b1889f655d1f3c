/** Messages between processes of one kind: received by those listening at that moment, and stored nowhere. */
import type { Bus, BusLog } from './connection.ts'

export interface Broadcast {
  /** Sends to all listeners, including this process. Nothing is sent while the bus is down. */
  readonly say: (message: object) => void
  readonly end: () => void
}

/** @param onMessage receives the parsed message; what it throws is logged */
export function openBroadcast(
  bus: Bus,
  subject: string,
  log: BusLog,
  onMessage: (message: unknown) => void,
): Broadcast {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const subscription = bus.nc.subscribe(subject, {
    callback: (error, msg) => {
      // An exception here would stop the library from reading the connection.
      try {
        if (error) throw error
        onMessage(JSON.parse(decoder.decode(msg.data)))
      } catch (err) {
        log.error({ err, subject }, 'cannot receive broadcasts')
      }
    },
  })
  return {
    say(message) {
      if (bus.connected && !bus.nc.isClosed())
        bus.nc.publish(subject, encoder.encode(JSON.stringify(message)))
    },
    end: () => subscription.unsubscribe(),
  }
}
