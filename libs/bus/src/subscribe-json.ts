import type { Msg } from 'nats'
import type { Bus, BusLog } from './connection.ts'

export function subscribeJson(
  bus: Bus,
  { subject, what }: { readonly subject: string; readonly what: string },
  log: BusLog,
  onMessage: (message: unknown, msg: Msg) => void,
): () => void {
  const decoder = new TextDecoder()
  const subscription = bus.nc.subscribe(subject, {
    callback: (error, msg) => {
      // An exception here would stop the library from reading the connection.
      try {
        if (error) throw error
        onMessage(JSON.parse(decoder.decode(msg.data)), msg)
      } catch (err) {
        log.error({ err, subject }, `cannot receive ${what}`)
      }
    },
  })
  return () => subscription.unsubscribe()
}
