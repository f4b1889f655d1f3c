/** Passwords as argon2id (RFC 9106) alone. */
import { hash, verify } from '@node-rs/argon2'
import { refusal } from '@svc/contract/core/errors'
import type { Metrics } from '@svc/telemetry/metrics'

/** Both resolve before `deadline` (Unix milliseconds), or refuse immediately. */
export interface Passwords {
  hash(password: string, deadline: number): Promise<string>
  /** Undefined where it is wrong, and for a user without a password after the same time. */
  verify(stored: string | null, password: string, deadline: number): Promise<Match | undefined>
}

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

/** @throws ApiError `Unavailable` when the queue is so long that the answer would come too late */
export function createPasswords(metrics?: Metrics): Passwords {
  let running = 0
  const waiting: (() => void)[] = []
  metrics?.read('svc_password_checks_waiting', {}, () => waiting.length)
  const decoy = hash('nobody has this password', argon2id)
  /** How long one took recently, in milliseconds. */
  let usualMs = 50

  async function inTurn<T>(deadline: number, work: () => Promise<T>): Promise<T> {
    const turns = 1 + Math.ceil((waiting.length + 1) / maxConcurrent)
    const late = Date.now() + turns * usualMs + marginMs > deadline
    if (running >= maxConcurrent) {
      if (late || waiting.length >= maxWaiting) throw refusal('overloaded')
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    const began = Date.now()
    try {
      if (began + marginMs > deadline) throw refusal('overloaded')
      const result = await work()
      usualMs += (Date.now() - began - usualMs) / 10
      return result
    } finally {
      // The slot is handed to the next one without becoming free in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password, deadline) => inTurn(deadline, () => hash(passwordForm(password), argon2id)),
    verify: (stored, password, deadline) =>
      inTurn(deadline, async () => {
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
