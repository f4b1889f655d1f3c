/** What a connection shows to a server, where some know one password of the user and some another. */
import { type Authenticator, type NatsConnection, nkeyAuthenticator } from 'nats'

/** Who connects: named as in the environment. */
export interface BusLogin {
  /** The prefix of its inboxes, too, by which an nkey alone would not be known. */
  readonly NATS_USER: string
  readonly NATS_PASSWORD?: string
  /** Tried where a server refuses the password: while it is being changed, some servers know the one and some the other. */
  readonly NATS_SECOND_PASSWORD?: string
  /** Instead of a password, where the server knows its users by nkeys: the seed, `SU…`. */
  readonly NATS_NKEY_SEED?: string
}

export interface Credentials {
  readonly authenticator: Authenticator
  readonly count: number
  /** With which of them the first connection is tried next. */
  tryFirst(ordinal: number): void
  /** The server that the connection is to has accepted what it was offered. */
  accepted(nc: NatsConnection): void
}

/** @throws Error for a seed that is none */
export function credentialsOf(config: BusLogin): Credentials {
  const { NATS_USER: user, NATS_PASSWORD: password, NATS_SECOND_PASSWORD: second } = config
  const seed = config.NATS_NKEY_SEED
  const all = seed ? [withSeed(seed)] : [password, ...(second ? [second] : [])].map(withPassword)
  let first = 0
  let connection: NatsConnection | undefined
  /** By server: while passwords change, each knows another one. */
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
    // The library would report a bad seed only on connecting, again and again.
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
    authenticator('nonce')
    return authenticator
  } catch {
    throw new Error('NATS_NKEY_SEED is not the seed of an nkey (SU…).')
  }
}
