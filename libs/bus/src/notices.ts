/** Notices: empty messages that something is not as it was. Who missed one reads when it is back. */
import type { Bus, BusLog } from './connection.ts'

/**
 * Says it to those who listen now; while the connection moves to another server, once it is there. While the bus is
 * disconnected nobody is told: who lost it as well reads once it is back, and all others at the next time of their own.
 */
export function sendNotice(bus: Bus, subject: string): void {
  // To those who stay connected it is new: they have no other reason to read.
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
  const told = () => {
    if (!ended) onNotice()
  }
  const subscription = bus.nc.subscribe(subject, {
    callback: error => {
      if (error) log.error({ err: error, subject }, 'notices cannot be received')
      else told()
    },
  })
  bus.onChange(connected => {
    if (connected) told()
  })
  return () => {
    ended = true
    subscription.unsubscribe()
  }
}
