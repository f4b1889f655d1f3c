/** A session lives 30 days from its last use, and never longer than 180 days (design, "auth-tokens"). */
const day = 24 * 60 * 60

export const slidingLifetimeSeconds = 30 * day
export const absoluteLifetimeSeconds = 180 * day
