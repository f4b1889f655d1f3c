/** Answers NATS whether a client that its configuration does not list may connect (auth callout, ADR-26). */
import { type Bus, type BusLog, inboxOf } from './connection.ts'
import { claimsOf, createSigner, issuerOf } from './user-jwt.ts'

/**
 * What a connection may do besides receiving answers, and for how long. The server then closes it, and
 * clients that are still permitted reconnect.
 */
export interface Admission {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  readonly seconds: number
}

export interface CalloutOptions {
  /** Seed of the account nkey (`SA…`) that the server's configuration names as the issuer. */
  readonly seed: string
  /** Seed of the other issuer during a rotation, when some servers already or still name it. */
  readonly secondSeed?: string | undefined
  /** @returns undefined if the client may not connect */
  readonly admit: (user: string, password: string) => Promise<Admission | undefined>
  readonly log: BusLog
  /** Concurrent requests. Further ones are ignored, and the client tries again. */
  readonly maxInFlight?: number
}

export interface Question {
  readonly nats: {
    readonly server_id: {
      readonly id: string
      /** `server_tags` of its configuration, in lower case: the issuer that it knows. */
      readonly tags?: readonly string[]
    }
    readonly user_nkey: string
    readonly connect_opts: { readonly user?: string; readonly pass?: string }
  }
}

/** Only NATS servers may publish to this subject, and only users with this permission receive it. */
export const calloutSubject = '$SYS.REQ.USER.AUTH'
const account = '$G'

/** Shares the requests with all replicas of this user. Refusals are sent at once. */
export function answerCallouts(bus: Bus, options: CalloutOptions): void {
  const { seed, secondSeed, admit, log, maxInFlight = 2048 } = options
  const first = createSigner(seed)
  const second = secondSeed === undefined ? first : createSigner(secondSeed)
  const secondIssuer = secondSeed && issuerOf(secondSeed).toLowerCase()
  let inFlight = 0
  const subscribe = ({ nc }: Pick<Bus, 'nc'>) =>
    nc.subscribe(calloutSubject, {
      queue: bus.user,
      callback: (error, msg) => {
        if (error) return log.error({ err: error }, 'auth callout failed: agents cannot connect')
        if (inFlight >= maxInFlight) return
        inFlight++
        answer(msg.data)
          // Without an answer the server eventually disconnects the client, which tries again.
          .catch(err => void log.warn({ err }, "could not check an agent's secret"))
          .then(reply => reply !== undefined && bus.connected && msg.respond(reply))
          .catch(() => {})
          .finally(() => inFlight--)
      },
    })
  subscribe(bus)
  bus.onStandIn(nc => {
    subscribe({ nc })
    return () => inFlight
  })

  async function answer(data: Uint8Array): Promise<Uint8Array> {
    const { nats } = claimsOf(new TextDecoder().decode(data)) as Question
    const { server_id, user_nkey: sub } = nats
    const { user = '', pass = '' } = nats.connect_opts
    const admission = await admit(user, pass)
    if (!admission) return refused
    const { publish, subscribe, seconds } = admission
    const signed = secondIssuer && server_id.tags?.includes(secondIssuer) ? second : first
    const limits = { subs: maxSubscriptions, data: -1, payload: maxPayload }
    const jwt = signed({
      sub,
      aud: account,
      name: user,
      exp: Math.floor(Date.now() / 1000) + seconds,
      nats: {
        type: 'user',
        version: 2,
        pub: { allow: publish },
        sub: { allow: [`${inboxOf(user)}.>`, ...subscribe] },
        ...limits,
      },
    })
    const response = signed({
      sub,
      aud: server_id.id,
      nats: { type: 'authorization_response', version: 2, jwt },
    })
    return new TextEncoder().encode(response)
  }
}

/** Refusals are empty, so that a flood of wrong secrets costs no signatures. */
const refused = new Uint8Array()
const maxSubscriptions = 16
const maxPayload = 65_536
