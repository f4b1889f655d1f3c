/** Browsers that a person has signed in with: each has an id for one account, stored as a hash. */
import { knownBrowserSeconds } from '@svc/contract/auth-tokens/sessions'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

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

/** Selects as `known` the hash among `hashes` by which the account of `user` knows the browser at `at`, in Unix seconds. */
export const knownBrowser = (
  user: Fragment,
  hashes: readonly string[] | undefined,
  at: number,
): Fragment => fragment`
  select encode(b.hash, 'hex') as known from known_browsers b
  where b.hash = any (array(select decode(h, 'hex') from unnest(${hashes ?? []}::text[]) h))
    and b.user_id = ${user} and b.seen_at > to_timestamp(${knownSince(at)})
  limit 1`
