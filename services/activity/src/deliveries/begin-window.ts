/**
 * Between a look at an endpoint and the beginning of a request there is a gap, in which the endpoint may be changed at another
 * replica. So a request begins soon after the look or not at all, and the change is answered when that time is over.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { fragment } from '@svc/runtime/sql-fragment'

/** Since the look was asked for, by the sender's monotonic clock. */
export const beginWithinMs = 250
const marginMs = 25

/** Whether a sender holds the endpoint that was changed. */
export const isHeld = fragment`held_until > now() as is_held`

/** Waits until nothing begins any more by what the endpoint was before the change that was committed. */
export async function settleSenders<Row extends { readonly is_held: boolean }>({ is_held, ...row }: Row) {
  if (is_held) await delay(beginWithinMs + marginMs)
  return row
}
