/** How the service `activity` learns that there is something in an outbox. */
import type { Bus } from '@svc/bus/connection'
import { sendNotice } from '@svc/bus/notices'
import { eventsWritten } from '@svc/contract/notices'

/** What comes within this time of the first event is announced with it. */
const gatherMs = 10

/** @returns to be called when an event was written; `activity` reads it soon, and within a second where the notice is lost */
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
