/** Gateways share their use of the buckets: many requests per message, no message per request. */
import { randomUUID } from 'node:crypto'
import { openBroadcast } from '@svc/bus/broadcast'
import type { Bus, BusLog } from '@svc/bus/connection'
import { rateLimitUse } from '@svc/contract/notices'
import type { TokenBuckets, Use } from './token-buckets.ts'

const everyMs = 100
/** The interval after heavy use: sooner, but not for each request. */
const soonMs = 10
const forgetEveryMs = 5000
const maxKeys = 5000

interface Message {
  readonly from: string
  readonly policy: string
  readonly uses: readonly Use[]
}

export interface Shared {
  soon(): void
  stop(): void
}

export function shareUse(bus: Bus, log: BusLog, policies: Readonly<Record<string, TokenBuckets>>): Shared {
  const from = randomUUID()
  const broadcast = openBroadcast(bus, rateLimitUse, log, message => {
    const { from: sender, policy, uses } = message as Message
    if (sender !== from) policies[policy]?.addUse(sender, uses)
  })
  let sooner: NodeJS.Timeout | undefined
  const ticker = setInterval(sayUse, everyMs).unref()
  const forgetter = setInterval(() => {
    for (const buckets of Object.values(policies)) buckets.forget()
  }, forgetEveryMs).unref()

  return {
    soon() {
      sooner ??= setTimeout(sayUse, soonMs).unref()
    },
    stop() {
      clearInterval(ticker)
      clearInterval(forgetter)
      clearTimeout(sooner)
      sayUse()
      broadcast.end()
    },
  }

  function sayUse() {
    clearTimeout(sooner)
    sooner = undefined
    for (const [policy, buckets] of Object.entries(policies)) {
      const uses = buckets.used()
      for (let at = 0; at < uses.length; at += maxKeys) {
        broadcast.say({ from, policy, uses: uses.slice(at, at + maxKeys) } satisfies Message)
      }
    }
  }
}
