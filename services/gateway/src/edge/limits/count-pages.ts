/** Pages must not bypass the rate limits of the API. */
import type { ResolveCredential } from '../admit/credentials.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * Counts the look-up for a page as a request of the person: once, and once more for each workspace that they act
 * in.
 *
 * @throws ApiError `RateLimited` if nothing is left
 */
export const countLookups = (
  resolve: ResolveCredential,
  rateLimits: RateLimits | undefined,
): ResolveCredential =>
  rateLimits
    ? async (credential, context, deadline) => {
        rateLimits.refuseEmpty(credential, context)
        const caller = await resolve(credential, context, deadline)
        rateLimits.spend(caller, credential, context)
        return caller
      }
    : resolve
