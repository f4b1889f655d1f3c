/** Backoff of failed deliveries. The guide to webhooks states it, too. */

/** Seconds between attempts; the last one repeats. */
export const retryPauses = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200] as const

/** How long an event is retried at least, and how often while the endpoint accepts other events. */
export const giveUpAfterDays = 3
export const giveUpAfterStrikes = 5

/** Days of failure before the warning and before the endpoint is disabled. */
export const warnAfterDays = 1
export const disableAfterDays = 5

/** Upper limit for `Retry-After`. */
export const maxRetryAfterSeconds = 3600

const jitter = 0.2

/**
 * The backoff after an attempt, in seconds.
 *
 * @param step number of earlier pauses
 * @param random from 0 to 1
 */
export function pauseAfter(step: number, random = Math.random()): number {
  const pause = retryPauses[Math.min(step, retryPauses.length - 1)] ?? 0
  return pause * (1 + jitter * (2 * random - 1))
}
