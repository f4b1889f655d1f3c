/** Notices: empty messages that something has changed. Listeners that missed one read again after reconnecting. */
import type { Bus, BusLog } from './connection.ts'

export function sendNotice(bus: Bus, subject: string): void {
  // Listeners that stayed connected have no other reason to read.
  if (bus.arriving) void bus.arriving.then(() => sendNotice(bus, subject))
  // Messages that the library buffers until it reconnects would arrive too late to be of use.
  else if (bus.connected) bus.nc.publish(subject)
}

/**
 * Calls `onNotice` at every notice and after every reconnect, since notices may have been missed. Read once after
 * this call: that result is as new as any earlier notice.
 *
 * @returns a function that stops it
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
