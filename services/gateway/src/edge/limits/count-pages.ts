/** Pages are no way around the rate limits of the API. */
import type { ResolveCredential } from '../admit/credentials.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * The look-up of who opens a page, counted as a request of theirs: once for the person, and once for each workspace that they act in.
 *
 * @throws ApiError `RateLimited` where nothing is left
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
