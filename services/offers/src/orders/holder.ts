import type { Caller } from '@svc/contract/core/caller'

export interface Holder {
  readonly holder: string
  readonly user: string | null
  readonly email: string | null
}

/** A person, whatever the session, or an API token. */
export function holderOf(caller: Caller): Holder {
  const user = 'user' in caller ? caller.user : null
  const email = 'email' in caller ? (caller.email ?? null) : null
  return { holder: user ?? caller.id, user, email }
}
