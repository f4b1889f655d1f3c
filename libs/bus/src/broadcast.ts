/** What processes of one kind tell each other: whoever listens at that moment hears it, and it is kept nowhere. */
import type { Bus, BusLog } from './connection.ts'

export interface Broadcast {
  /** Says it to all who listen, this process included. Nothing is said while the bus is away. */
  readonly say: (message: object) => void
  readonly end: () => void
}

/** @param onMessage gets what was said, as JSON; what it throws is logged */
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
      // What is thrown here would end the library's reading from the connection.
      try {
        if (error) throw error
        onMessage(JSON.parse(decoder.decode(msg.data)))
      } catch (err) {
        log.error({ err, subject }, 'a broadcast cannot be received')
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
