/** Browsers that a person has signed in with: each has an id for one account, stored as a hash. */
import { knownBrowserSeconds } from '@svc/contract/auth-tokens/sessions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'

/**
 * Per account; the least recently used one is dropped. Each could be stolen, and each has its own budget of
 * attempts.
 */
export const maxKnownBrowsers = 20

export const knownSince = (seconds: number): number => seconds - knownBrowserSeconds

export function newBrowser() {
  const token = createSessionToken()
  return { token, hash: hashCredential(token) }
}
