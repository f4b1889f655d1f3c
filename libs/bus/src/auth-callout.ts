/** Answers the question of NATS whether somebody may connect whom its configuration does not know (auth callout, ADR-26). */
import { type Bus, type BusLog, inboxOf } from './connection.ts'
import { claimsOf, createSigner } from './user-jwt.ts'

/** What a connection may do beside receiving answers, and for how long: then the server ends it, and who may still come in connects again. */
export interface Admission {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  readonly seconds: number
}

export interface CalloutOptions {
  /** Of the account's nkey (`SA…`) that the server's configuration names as the issuer. */
  readonly seed: string
  /** @returns undefined for who may not come in */
  readonly admit: (user: string, password: string) => Promise<Admission | undefined>
  readonly log: BusLog
  /** Questions in progress at once; past it they are left, and who asked tries again. */
  readonly maxInFlight?: number
}

/** As nats-server writes it (its `AuthorizationRequest`); nobody else may. */
export interface Question {
  readonly nats: {
    readonly server_id: { readonly id: string }
    readonly user_nkey: string
    readonly connect_opts: { readonly user?: string; readonly pass?: string }
  }
}

/** Where NATS asks; only its servers may, and only who has this subject in its permissions is asked. */
export const calloutSubject = '$SYS.REQ.USER.AUTH'
/** The account of every user of our configuration. */
const account = '$G'

/** Takes its share of the questions, with every other replica of this user. Whoever is to be refused is told so at once. */
export function answerCallouts(bus: Bus, options: CalloutOptions): void {
  const { seed, admit, log, maxInFlight = 2048 } = options
  const signed = createSigner(seed)
  let inFlight = 0
  bus.nc.subscribe(calloutSubject, {
    queue: bus.user,
    callback: (error, msg) => {
      if (error) return log.error({ err: error }, 'agents cannot be let in')
      if (inFlight >= maxInFlight) return
      inFlight++
      answer(msg.data)
        // Nobody knows: who asked has no answer, is sent away in the end, and comes again.
        .catch(err => void log.warn({ err }, 'whether an agent may come in is not known'))
        .then(reply => reply !== undefined && bus.connected && msg.respond(reply))
        .catch(() => {})
        .finally(() => inFlight--)
    },
  })

  async function answer(data: Uint8Array): Promise<Uint8Array> {
    const { nats } = claimsOf(new TextDecoder().decode(data)) as Question
    const { server_id, user_nkey: sub } = nats
    const { user = '', pass = '' } = nats.connect_opts
    const admission = await admit(user, pass)
    if (!admission) return refused
    const { publish, subscribe, seconds } = admission
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

/** An empty answer, so that a flood of wrong secrets costs no signatures. */
const refused = new Uint8Array()
const maxSubscriptions = 16
const maxPayload = 65_536
