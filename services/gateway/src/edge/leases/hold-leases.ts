/** Renews the lease of this process, and answers its recalls: docs/people/leases.md. */
import type { CallBus } from '@svc/bus/call'
import type { Bus, BusLog } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { answerRecalls } from '@svc/bus/recalls'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { recallMessage, recallOfAll, recallSubject, renewEveryMs } from '@svc/contract/auth-tokens/leases'
import type { Log } from '@svc/runtime/log'
import { startWorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { randomUUID } from 'node:crypto'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import type { LeasedCache } from './leased-cache.ts'
import type { UsedCredentials } from './used-credentials.ts'

export interface HoldLeasesOptions {
  readonly bus: Bus
  readonly call: CallBus
  readonly cache: LeasedCache
  readonly uses: UsedCredentials
  readonly log: Log & BusLog
  readonly metrics: Metrics
}

/** Shorter than a lease, so that there is time for a second attempt. */
const renewalMs = 800

export function holdLeases({ bus, call, cache, uses, log, metrics }: HoldLeasesOptions): () => Promise<void> {
  const holder = randomUUID()
  const subjects = [recallOfAll, recallSubject(holder)]
  const endRecalls = answerRecalls(bus, { holder, subjects }, log, message =>
    cache.recall(recallMessage.parse(message).principals),
  )
  const loop = startWorkLoop({
    name: 'hold_leases',
    // Pauses are three quarters of it on average.
    everyMs: (4 / 3) * renewEveryMs,
    // The first attempt may have gone to a replica that is frozen.
    work: () =>
      renew()
        .catch(renew)
        .then(() => false),
    log,
    metrics,
  })
  // Recalls may have been missed.
  bus.onChange(connected => {
    cache.lapse()
    if (connected) loop.wake()
  })
  loop.wake()

  return async () => {
    await loop.stop()
    cache.lapse()
    await ask({ release: true }).catch(err => log.warn({ err }, 'the lease was not given back'))
    endRecalls()
  }

  async function renew() {
    if (!bus.connected) return
    const sent = cache.now()
    const { grant, until_ms } = await ask({})
    cache.renewed(sent, { grant, until: until_ms })
  }

  async function ask(more: { release?: true }) {
    const batch = uses.take()
    try {
      return await invoke(call, authTokens, 'hold_leases', {
        caller: gatewayCaller,
        body: { holder, ...batch, ...more },
        deadline: Date.now() + renewalMs,
      })
    } catch (error) {
      uses.giveBack(batch)
      throw error
    }
  }
}
