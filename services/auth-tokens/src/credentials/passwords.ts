/** Passwords as argon2id (RFC 9106) alone. */
import { hash, verify } from '@node-rs/argon2'
import { refusal } from '@svc/contract/core/errors'
import type { Metrics } from '@svc/telemetry/metrics'

/** Both resolve before `deadline` (Unix milliseconds), or refuse immediately. */
export interface Passwords {
  hash(password: string, deadline: number): Promise<string>
  /** Also false for a user without a password, after the same time. */
  verify(stored: string | null, password: string, deadline: number): Promise<boolean>
}

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
    hash: (password, deadline) => inTurn(deadline, () => hash(password, argon2id)),
    verify: (stored, password, deadline) =>
      inTurn(deadline, async () => {
        const matches = await verify(stored ?? (await decoy), password)
        return stored !== null && matches
      }),
  }
}
