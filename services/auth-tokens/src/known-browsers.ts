/** Browsers that a person has signed in with: each has an id, of which its hash is kept, for one account. */
import { knownBrowserSeconds } from '@svc/contract/sessions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'

/** Of an account; the one that was not signed in with for longest makes room. Each could be stolen, and has a budget of its own. */
export const maxKnownBrowsers = 20

/** @param seconds now, in Unix seconds; who was seen since then is known */
export const knownSince = (seconds: number): number => seconds - knownBrowserSeconds

export function newBrowser() {
  const token = createSessionToken()
  return { token, hash: hashCredential(token) }
}
