/** Passwords as argon2id (RFC 9106) alone. */
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue, type Flow } from '@svc/bus/fair-queue/fair-queue'
import { refusal } from '@svc/contract/core/errors'
import type { Metrics } from '@svc/telemetry/metrics'

/** Both resolve before `deadline` (Unix milliseconds), in the turn of `whose`, or refuse. */
export interface Passwords {
  hash(password: string, deadline: number, whose: Flow): Promise<string>
  /** Undefined where it is wrong, and for a user without a password after the same time. */
  verify(stored: string | null, password: string, deadline: number, whose: Flow): Promise<Match | undefined>
}

/** People who are known where they are have a turn each; strangers share one, and in it their networks take turns. */
export const turnOf = (known: string | null, network: string): Flow =>
  known === null ? { tenant: 'strangers', member: network } : { tenant: known, member: known }
/** Whoever has a link, by network. */
export const turnOfLink = (network: string): Flow => ({ tenant: 'links', member: network })
export const turnOfOperator: Flow = { tenant: 'operators', member: 'operators' }

export interface Match {
  /** What to store from now on: the hash that matched is of another form of the text. */
  readonly rehashed?: string
}

/**
 * The form in which a password is hashed, whichever keyboard wrote it: macOS gives decomposed letters where others give
 * composed ones. RFC 8265, 4.2 (OpaqueString), but with the compatibility form, as full-width letters are typed as well.
 */
export const passwordForm = (password: string): string => password.normalize('NFKC').replace(/\p{Zs}/gu, ' ')

/** Those in which it was hashed before there was one form: as it was typed, here or on another device. */
const formerForms = (password: string): string[] => [
  password,
  password.normalize('NFC'),
  password.normalize('NFD'),
]

/** The parameters of OWASP's password storage recommendation: 19 MiB, two passes. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** As many as the thread pool of Node.js has threads. */
const maxConcurrent = 4
const maxWaiting = 200
/** What is left for the statements after it, in milliseconds. */
const marginMs = 500

/**
 * @throws ApiError `Unavailable` when its turn does not come in time; `RateLimited` where too many wait, for who has more
 *   waiting than others
 */
export function createPasswords(metrics?: Metrics): Passwords {
  const queue = createFairQueue({ slots: maxConcurrent, max: maxConcurrent + maxWaiting })
  metrics?.read('svc_password_checks_waiting', {}, () => queue.waiting)
  const decoy = hash('nobody has this password', argon2id)

  async function inTurn<T>(whose: Flow, deadline: number, work: () => Promise<T>): Promise<T> {
    const latest = deadline - marginMs
    const leave = await queue.enter(whose, latest)
    try {
      if (Date.now() > latest) throw refusal('overloaded')
      return await work()
    } finally {
      leave()
    }
  }

  return {
    hash: (password, deadline, whose) =>
      inTurn(whose, deadline, () => hash(passwordForm(password), argon2id)),
    verify: (stored, password, deadline, whose) =>
      inTurn(whose, deadline, async () => {
        const form = passwordForm(password)
        const against = stored ?? (await decoy)
        for (const one of new Set([form, ...formerForms(password)])) {
          if (!(await verify(against, one))) continue
          if (stored === null) return undefined
          return one === form ? {} : { rehashed: await hash(form, argon2id) }
        }
        return undefined
      }),
  }
}
