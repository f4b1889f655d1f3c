/**
 * Notices: empty messages that something has changed. Listeners that missed one read again when they are
 * back.
 */
import type { Bus, BusLog } from './connection.ts'

/**
 * Notifies those listening now; while the connection moves to another server, once it has arrived. While the
 * bus is disconnected nobody is notified: listeners that lost it as well read once it is back, all others at
 * their next regular time.
 */
export function sendNotice(bus: Bus, subject: string): void {
  // Listeners that stayed connected have no other reason to read.
  if (bus.arriving) void bus.arriving.then(() => sendNotice(bus, subject))
  // What the library keeps until it is connected again would come late, and be of no more use.
  else if (bus.connected) bus.nc.publish(subject)
}

/**
 * Calls `onNotice` at every notice, and each time that the bus is connected again, since notices may have been missed.
 * Read once after this call: what is read then is as new as any notice that came before.
 *
 * @returns ends it
 */
export function awaitNotices(bus: Bus, subject: string, log: BusLog, onNotice: () => void): () => void {
  let ended = false
  const onConnected = () => {
    if (!ended) onNotice()
  }
  const subscription = bus.nc.subscribe(subject, {
    callback: error => {
      if (error) log.error({ err: error, subject }, 'cannot receive notices')
      else onConnected()
    },
  })
  bus.onChange(connected => {
    if (connected) onConnected()
  })
  return () => {
    ended = true
    subscription.unsubscribe()
  }
}
