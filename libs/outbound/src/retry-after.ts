/**
 * The seconds that `Retry-After` asks for (RFC 9110, section 10.2.3): a number, or a date.
 *
 * @param now Unix milliseconds
 */
export function retryAfterSeconds(value: string | undefined, now: number): number | undefined {
  if (!value) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  // `Date.parse` takes far more for a date than HTTP does, as "-1".
  const at = /^[A-Z][a-z]/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
