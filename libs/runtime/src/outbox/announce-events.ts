import type { Bus } from '@svc/bus/connection'
import { sendNotice } from '@svc/bus/notices'
import { eventsWritten } from '@svc/contract/notices'

/** Events within this time after the first one share its notice. */
const gatherMs = 10

/**
 * @returns a function to call after writing an event. `activity` reads it soon, or within a second if the notice is
 * lost.
 */
export function announceEvents(bus: Bus, service: string): () => void {
  let announcing = false
  return () => {
    if (announcing) return
    announcing = true
    setTimeout(() => {
      announcing = false
      sendNotice(bus, eventsWritten(service))
    }, gatherMs)
  }
}
