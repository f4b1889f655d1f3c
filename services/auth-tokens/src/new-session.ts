import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { slidingLifetimeSeconds } from './session-lifetime.ts'

/** What a new session's row and the answer are made of; `now` in Unix milliseconds. */
export function newSession(now: number) {
  const token = createSessionToken()
  const created_at = Math.floor(now / 1000)
  return {
    id: newId('sess'),
    token,
    hash: hashCredential(token),
    created_at,
    expires_at: created_at + slidingLifetimeSeconds,
  }
}
