/**
 * A request begins soon after its endpoint was read or not at all, since another replica may change the endpoint in
 * between. The change is answered when that time is over.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { fragment } from '@svc/runtime/sql-fragment'

/** Milliseconds since the read began, by the sender's monotonic clock. */
export const beginWithinMs = 250
const marginMs = 25

export const isHeld = fragment`held_until > now() as is_held`

/** Waits until no request can begin with the endpoint's state before the committed change. */
export async function settleSenders<Row extends { readonly is_held: boolean }>({ is_held, ...row }: Row) {
  if (is_held) await delay(beginWithinMs + marginMs)
  return row
}
