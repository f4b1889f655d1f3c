/** From when to when a licence counts. All times in Unix seconds. */

const day = 86_400
const minActiveSeconds = 3 * day

/** `state` null: nothing was paid. `grace_until` null: a payment from before the product knew until when. */
export interface Paid {
  readonly state: 'active' | 'past_due' | 'lapsed' | 'ended' | null
  readonly grace_until: number | null
  readonly licence_days: number
}

/** @returns undefined where there is no licence */
export function licenceTimes({ state, grace_until, licence_days }: Paid, now: number) {
  if (state === 'lapsed' || state === 'ended') return undefined
  const paid = state === null ? null : grace_until
  const exp =
    paid === null
      ? now + licence_days * day
      : state === 'active'
        ? Math.max(paid, now + minActiveSeconds)
        : paid
  return { iat: now, exp, renew_after: now + Math.floor((exp - now) / 2) }
}
