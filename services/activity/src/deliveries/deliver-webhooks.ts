/** Sends what happens to the endpoints that want it, beside the other replicas. docs/inside/webhooks.md */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Log } from '@svc/runtime/log'
import { startWorkLoop, type WorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { claimEndpoints } from './claim-endpoints.ts'
import { meterWebhooks } from './meter-webhooks.ts'
import { leaveSender, renewSender, senderLeaseSeconds } from './sender-lease.ts'
import { wakeEndpoints } from './wake-endpoints.ts'
import { workEndpoint, type WorkOptions } from './work-endpoint.ts'

export interface DeliverOptions
  extends Omit<
    WorkOptions,
    'stopping' | 'signal' | 'isSender' | 'isCrowded' | 'turnMs' | 'onResult' | 'onNoted'
  > {
  readonly log: Log
  readonly metrics?: Metrics
  /** Called when an event was written. */
  readonly eventWritten: () => void
  readonly turnMs?: number
  readonly places?: typeof defaultPlaces
}

/** Endpoints that a process sends to at a time. Those that fail have places of their own: they wait for their timeouts most of the time. */
const defaultPlaces = { healthy: 256, failing: 64 }
const stopMs = 4000
const defaultTurnMs = 3000
const renewMs = 1000

export function startDelivering(options: DeliverOptions): WorkLoop {
  const { sql, now, log, metrics, eventWritten, places = defaultPlaces, turnMs = defaultTurnMs } = options
  const stopping = new AbortController()
  const cut = new AbortController()
  // Each request listens.
  setMaxListeners(0, cut.signal)
  const free = { ...places }
  const working = new Set<Promise<void>>()
  const sender = randomUUID()
  /** By `performance.now()`. */
  let senderUntil = 0
  const isSender = () => performance.now() < senderUntil
  const { onResult, onGivenUp } = meterWebhooks(sql, metrics)
  const work: WorkOptions = {
    ...options,
    stopping: stopping.signal,
    signal: cut.signal,
    isSender,
    isCrowded: () => free.healthy === 0,
    turnMs,
    onResult,
    onNoted({ disabled, given_up }) {
      if (disabled) eventWritten()
      onGivenUp(given_up)
    },
  }
  const loop = startWorkLoop({
    name: 'deliver_webhooks',
    async work() {
      if (!isSender()) return false
      const at = now() / 1000
      const more = await wakeEndpoints(sql(), at)
      for (const { failing, ...claimed } of await claimEndpoints(sql(), { at, sender, ...free }))
        begin(claimed, failing ? 'failing' : 'healthy')
      return more
    },
    everyMs: 1000,
    log,
    metrics,
  })
  const renewal = startWorkLoop({
    name: 'renew_sender',
    async work() {
      const asked = performance.now()
      const wasSender = isSender()
      const released = await renewSender(sql(), sender, now() / 1000)
      senderUntil = asked + senderLeaseSeconds * 1000
      if (released > 0 || !wasSender) loop.wake()
      return false
    },
    everyMs: renewMs,
    log,
    metrics,
  })
  renewal.wake()
  return {
    wake: loop.wake,
    async stop() {
      stopping.abort()
      await loop.stop()
      const late = setTimeout(() => cut.abort(), stopMs)
      await Promise.all(working)
      clearTimeout(late)
      await renewal.stop()
      // Its endpoints are left; should one be not, others find it when its own lease is over.
      await leaveSender(sql(), sender).catch(() => {})
    },
  }

  function begin(claimed: { id: string; turn: number }, place: keyof typeof places) {
    free[place]--
    const done = workEndpoint(claimed, work)
      .catch(err => log.error({ err, endpoint_id: claimed.id }, 'webhooks wait: they cannot be sent now'))
      .finally(() => {
        working.delete(done)
        // Others may have found no place.
        if (free[place]++ === 0) loop.wake()
      })
    working.add(done)
  }
}
