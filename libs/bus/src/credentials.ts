import { type Authenticator, type NatsConnection, nkeyAuthenticator } from 'nats'

export interface BusLogin {
  /** Also the prefix of its inboxes, which an nkey would not reveal. */
  readonly NATS_USER: string
  readonly NATS_PASSWORD?: string
  /** Tried if a server refuses the password: while it is being changed, servers differ in the one they know. */
  readonly NATS_SECOND_PASSWORD?: string
  /** Used instead of a password if the server knows its users by nkeys: the seed, `SU…`. */
  readonly NATS_NKEY_SEED?: string
}

export interface Credentials {
  readonly authenticator: Authenticator
  readonly count: number
  tryFirst(ordinal: number): void
  accepted(nc: NatsConnection): void
}

/** @throws Error if the seed is invalid */
export function credentialsOf(config: BusLogin): Credentials {
  const { NATS_USER: user, NATS_PASSWORD: password, NATS_SECOND_PASSWORD: second } = config
  const seed = config.NATS_NKEY_SEED
  const all = seed ? [withSeed(seed)] : [password, ...(second ? [second] : [])].map(withPassword)
  let first = 0
  let connection: NatsConnection | undefined
  /** By server: while passwords change, each may know another one. */
  const offers = new Map<string, { readonly ordinal: number; accepted: boolean }>()
  return {
    count: all.length,
    authenticator(nonce) {
      const server = connection?.getServer()
      if (server === undefined) return all[first]?.(nonce)
      const last = offers.get(server)
      const ordinal = last ? (last.ordinal + Number(!last.accepted)) % all.length : 0
      offers.set(server, { ordinal, accepted: false })
      return all[ordinal]?.(nonce)
    },
    tryFirst(ordinal) {
      first = ordinal
    },
    accepted(nc) {
      connection = nc
      const offer = offers.get(nc.getServer())
      if (offer) offer.accepted = true
    },
  }

  function withPassword(pass: string | undefined): Authenticator {
    return () => ({ user, pass })
  }
}

function withSeed(seed: string): Authenticator {
  try {
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
    authenticator('nonce')
    return authenticator
  } catch {
    throw new Error('NATS_NKEY_SEED is not the seed of an nkey (SU…).')
  }
}
