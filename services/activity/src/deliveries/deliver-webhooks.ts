import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { hostOf } from '@svc/outbound/check-target'
import { coalesce } from '@svc/runtime/coalesce'
import type { Log } from '@svc/runtime/log'
import { startWorkLoop, type WorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { claimEndpoints, type Claimed, type DueEndpoint, listDue } from './claim-endpoints.ts'
import { meterWebhooks } from './meter-webhooks.ts'
import { createReadTarget } from './read-targets.ts'
import { releaseSender, renewSender, senderLeaseSeconds } from './sender-lease.ts'
import { createSlots, type Slot, type Slots } from './slots.ts'
import { wakeEndpoints } from './wake-endpoints.ts'
import { workEndpoint, type WorkOptions } from './work-endpoint.ts'

export interface DeliverOptions
  extends Omit<
    WorkOptions,
    'stopping' | 'signal' | 'isSender' | 'readTarget' | 'turnMs' | 'onResult' | 'onRecorded'
  > {
  readonly log: Log
  readonly metrics?: Metrics
  readonly eventWritten: () => void
  readonly turnMs?: number
  readonly slots?: typeof defaultSlots
  readonly maxInHand?: number
}

/** Concurrency limits per process. Failing endpoints have slots of their own, because they mostly wait for time-outs. */
const defaultSlots = { healthy: 256, failing: 64 }
const defaultMaxInHand = 4096
const maxFound = 256
const stopMs = 4000
const defaultTurnMs = 3000
const renewMs = 1000

export function startDelivering(options: DeliverOptions): WorkLoop {
  const {
    sql,
    now,
    log,
    metrics,
    eventWritten,
    slots = defaultSlots,
    maxInHand = defaultMaxInHand,
    turnMs = defaultTurnMs,
  } = options
  const stopping = new AbortController()
  const cut = new AbortController()
  // Every request adds a listener.
  setMaxListeners(0, cut.signal)
  const lanes = { healthy: createSlots(slots.healthy), failing: createSlots(slots.failing) }
  const inHand = new Map<string, { readonly workspace: string; readonly ended: Promise<void> }>()
  const sender = randomUUID()
  let senderUntil = 0
  const isSender = () => performance.now() < senderUntil
  const claim = coalesce<string, Claimed | undefined>({
    async run(ids) {
      const claimed = await claimEndpoints(sql(), { ids, at: now() / 1000, sender })
      return ids.map(id => claimed.find(each => each.id === id))
    },
    maxBatch: maxFound,
  })
  const { onResult, onGivenUp } = meterWebhooks(sql, metrics)
  const workOptions: WorkOptions = {
    ...options,
    stopping: stopping.signal,
    signal: cut.signal,
    isSender,
    readTarget: createReadTarget(sql, now),
    turnMs,
    onResult,
    onRecorded({ disabled, given_up }) {
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
      const isCrowded = inHand.size >= maxInHand
      const limit = isCrowded ? maxFound : Math.min(maxFound, maxInHand - inHand.size)
      // When crowded, only workspaces with nothing in hand are read, so that each gets its turn.
      const withSome = isCrowded && [...new Set([...inHand.values()].map(({ workspace }) => workspace))]
      const except = (lane: Slots) => {
        const { workspaces, people } = lane.full()
        return { workspaces: withSome || workspaces, people }
      }
      const found = await listDue(sql(), {
        at,
        inHand: [...inHand.keys()],
        limit,
        healthy: except(lanes.healthy),
        failing: except(lanes.failing),
      })
      for (const due of found) begin(due)
      // A full page may have been skipped in part: there may be other endpoints behind it.
      return more || found.length >= limit
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
      await Promise.all([...inHand.values()].map(({ ended }) => ended))
      clearTimeout(late)
      await renewal.stop()
      // Others find endpoints that are still held when their lease expires.
      await releaseSender(sql(), sender).catch(() => {})
    },
  }

  function begin(due: DueEndpoint) {
    const host = hostOf(new URL(due.url))
    const slot = lanes[due.failing ? 'failing' : 'healthy'].take({ ...due, host })
    if (!slot) return
    const ended = slot.then(taken => work(due, taken))
    inHand.set(due.id, { workspace: due.workspace_id, ended })
  }

  async function work({ id, url }: DueEndpoint, slot: Slot) {
    try {
      const claimed = stopping.signal.aborted ? undefined : await claim(id)
      if (claimed) await workEndpoint(claimed, { url, isWanted: slot.isWanted }, workOptions)
    } catch (err) {
      log.error({ err, endpoint_id: id }, 'webhook delivery failed, will retry')
    } finally {
      const wanted = slot.isWanted()
      slot.release()
      inHand.delete(id)
      // Other endpoints were skipped for want of a slot.
      if (wanted) loop.wake()
    }
  }
}
