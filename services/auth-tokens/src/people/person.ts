import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'

/** @throws ApiError `Forbidden` for a caller that is not a person: an API token, or an internal program */
export function personOf(caller: Caller): string {
  if ('user' in caller) return caller.user
  throw refusal('credential_kind', {
    message: 'Only people can do this: sign in, and use a session token or a JWT.',
  })
}
