import type { Bus, BusLog } from './connection.ts'
import { subscribeJson } from './subscribe-json.ts'

export interface Broadcast {
  /** Sends to all listeners, including this process. Nothing is sent while the bus is down. */
  readonly say: (message: object) => void
  readonly end: () => void
}

/** @param onMessage receives the parsed message; errors are logged */
export function openBroadcast(
  bus: Bus,
  subject: string,
  log: BusLog,
  onMessage: (message: unknown) => void,
): Broadcast {
  const encoder = new TextEncoder()
  const end = subscribeJson(bus, { subject, what: 'broadcasts' }, log, onMessage)
  return {
    say(message) {
      if (bus.connected) bus.nc.publish(subject, encoder.encode(JSON.stringify(message)))
    },
    end,
  }
}
