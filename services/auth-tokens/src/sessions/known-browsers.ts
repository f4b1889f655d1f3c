/** Browsers that a person has signed in with: each has an id, of which its hash is kept, for one account. */
import { knownBrowserSeconds } from '@svc/contract/auth-tokens/sessions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'

/**
 * Per account; the least recently used one is dropped. Each could be stolen, and each has its own budget of
 * attempts.
 */
export const maxKnownBrowsers = 20

/** @param seconds now, in Unix seconds */
export const knownSince = (seconds: number): number => seconds - knownBrowserSeconds

export function newBrowser() {
  const token = createSessionToken()
  return { token, hash: hashCredential(token) }
}
