import type { Caller } from '@svc/contract/core/caller'

export interface Holder {
  /** The person or the API token. */
  readonly holder: string
  readonly user: string | null
  /** Verified. */
  readonly email: string | null
}

/** Who orders: a person, whatever the session, or an API token. */
export function holderOf(caller: Caller): Holder {
  const user = 'user' in caller ? caller.user : null
  const email = 'email' in caller ? (caller.email ?? null) : null
  return { holder: user ?? caller.id, user, email }
}
