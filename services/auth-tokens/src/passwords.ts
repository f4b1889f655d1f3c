/** Passwords as argon2id (RFC 9106) alone. */
import { hash, verify } from '@node-rs/argon2'
import { refusal } from '@svc/contract/errors'

export interface Passwords {
  hash(password: string): Promise<string>
  /** False for a user without a password, too, and it takes as long. */
  verify(stored: string | null, password: string): Promise<boolean>
}

/** The parameters of OWASP's password storage recommendation: 19 MiB, two passes. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** As many as the thread pool of Node.js has threads. */
const maxConcurrent = 4
/** What waits longer than some seconds is answered too late: 200 take two to four. */
const maxWaiting = 200

/** @throws ApiError `Unavailable` when too many wait */
export function createPasswords(): Passwords {
  let running = 0
  const waiting: (() => void)[] = []
  const decoy = hash('nobody has this password', argon2id)

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxWaiting) throw refusal('overloaded')
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The place goes to the next one without becoming free in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: password => inTurn(() => hash(password, argon2id)),
    verify: (stored, password) =>
      inTurn(async () => {
        const matches = await verify(stored ?? (await decoy), password)
        return stored !== null && matches
      }),
  }
}
