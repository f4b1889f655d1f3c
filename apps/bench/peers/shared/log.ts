/** Where pino writes: in the background, in blocks (pino: "Asynchronous Logging"). */
import pino from 'pino'

export function logDestination() {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  // What lies in the buffer of a process that is idle is written all the same.
  setInterval(() => destination.flush(), 10_000).unref()
  return destination
}
