/** Hashes passwords with argon2id (RFC 9106). */
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue, type Flow } from '@svc/bus/fair-queue/fair-queue'
import { refusal } from '@svc/contract/core/errors'
import type { Metrics } from '@svc/telemetry/metrics'

/** Both resolve before `deadline` (Unix milliseconds), sharing the threads fairly by `whose`, or refuse. */
export interface Passwords {
  hash(password: string, deadline: number, whose: Flow): Promise<string>
  /** Undefined if it is wrong. A user without a password takes the same time. */
  verify(stored: string | null, password: string, deadline: number, whose: Flow): Promise<Match | undefined>
}

/** People with a known network or browser have a share each; strangers have one together, divided by network. */
export const turnOf = (known: string | null, network: string): Flow =>
  known === null ? { tenant: 'strangers', member: network } : { tenant: known, member: known }
export const turnOfLink = (network: string): Flow => ({ tenant: 'links', member: network })
export const turnOfOperator: Flow = { tenant: 'operators', member: 'operators' }

export interface Match {
  /** Set if another form of the text matched: the hash to store from now on. */
  readonly rehashed?: string
}

/**
 * The form in which a password is hashed, whichever keyboard wrote it: macOS decomposes letters where others
 * compose them. RFC 8265, 4.2 (OpaqueString), but with the compatibility form, since full-width letters are typed
 * as well.
 */
export const passwordForm = (password: string): string => password.normalize('NFKC').replace(/\p{Zs}/gu, ' ')

/** The forms that older hashes used: the text as typed, here or on another device. */
const formerForms = (password: string): string[] => [
  password,
  password.normalize('NFC'),
  password.normalize('NFD'),
]

/** The parameters of OWASP's password storage recommendation: 19 MiB, two passes. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const maxConcurrent = 4
const maxWaiting = 200
/** Reserved for the statements that follow, in milliseconds. */
const marginMs = 500

/**
 * @throws ApiError `Unavailable` if its turn does not come in time; `RateLimited` if its queue is longer than
 * others'
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
