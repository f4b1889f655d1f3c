/**
 * Delivers to one endpoint while something is due: several deliveries at once, but one at a time, in order, for each aggregate. A delivery
 * whose result was not recorded when a process died is sent again, with the same id.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@svc/contract/core/errors'
import type { Sql } from '@svc/runtime/database'
import type { Seal } from '@svc/runtime/seal'
import { secretContext } from '../endpoints/webhook-endpoint.ts'
import { beginWithinMs } from './begin-window.ts'
import { type Claimed, leaseMs, releaseEndpoint } from './claim-endpoints.ts'
import { type Recorded, recordResults, type Result } from './record-results.ts'
import type { ReadTarget } from './read-targets.ts'
import { sendDelivery, type SendOptions } from './send-delivery.ts'
import { type Delivery, type Taken, takeDeliveries } from './take-deliveries.ts'
import { answerContext } from './webhook-delivery.ts'

export interface WorkOptions extends SendOptions {
  readonly sql: () => Sql
  readonly seal: Seal
  readonly readTarget: ReadTarget
  readonly stopping: AbortSignal
  readonly isSender: () => boolean
  /** An endpoint releases its slot after this time if others want it, so that a slow one does not delay them. */
  readonly turnMs: number
  readonly onResult: (result: Result) => void
  readonly onRecorded: (recorded: Recorded) => void
}

/** Concurrent deliveries to one endpoint; a failing endpoint gets one. */
const slots = 4
/** The longest interval between checks for new deliveries and for changes of the endpoint. */
const askEveryMs = 1000
const gatherMs = 10
/** Longer than any attempt: none begins that could outlive the lease. */
const attemptMs = 11_000
const retryMs = 500
/** Limits repetitions on a process or database so slow that every read is too old once it is answered. */
const maxReads = 3

export interface EndpointSlot {
  readonly url: string
  readonly isWanted: () => boolean
}

export async function workEndpoint(
  claimed: Claimed,
  { url, isWanted }: EndpointSlot,
  options: WorkOptions,
): Promise<void> {
  const { sql, now, seal, readTarget, stopping, isSender, turnMs } = options
  const inFlight = new Map<string, Promise<void>>()
  const busy = new Set<string>()
  let queue: Delivery[] = []
  let results: { readonly result: Result; readonly aggregate_id: string }[] = []
  let fault: unknown
  let heldUntil = performance.now() + leaseMs
  const turnUntil = performance.now() + turnMs
  const mayBegin = () =>
    !stopping.aborted && !fault && isSender() && performance.now() < heldUntil - attemptMs

  let taken: Taken | undefined
  try {
    do {
      taken = await next()
      if (!taken?.held) return
      // The URL was changed: another host has its own slots.
      if (taken.url !== url) break
      await send(taken)
    } while (mayBegin() && !taken.failing && !(isWanted() && performance.now() > turnUntil))
  } finally {
    await Promise.all(inFlight.values())
  }
  if (fault) throw fault
  // A failing endpoint makes room for the next one, however much waits for it.
  if (await record()) await releaseEndpoint(sql(), claimed, now() / 1000)

  /**
   * Records results and takes the next deliveries. Undefined: another replica has the endpoint, or it was deleted.
   */
  async function next(): Promise<Taken | undefined> {
    for (;;) {
      const asked = performance.now()
      try {
        if (!(await record())) return undefined
        const found = await takeDeliveries(sql(), claimed, { at: now() / 1000, inHand: [...inFlight.keys()] })
        heldUntil = asked + leaseMs
        queue = found?.deliveries.filter(isNew) ?? []
        return found
      } catch (error) {
        // The database would refuse it again.
        if (!(error instanceof ApiError) || !mayBegin()) throw error
        await delay(retryMs)
      }
    }
  }

  /** The answer may be older than deliveries that have ended since. */
  function isNew({ event_id, aggregate_id }: Delivery): boolean {
    if (inFlight.has(event_id)) return false
    return !results.some(
      ({ result, aggregate_id: other }) =>
        result.event_id === event_id || (result.error !== null && other === aggregate_id),
    )
  }

  async function record(): Promise<boolean> {
    const noting = results
    if (noting.length === 0) return true
    results = []
    try {
      const recorded = await recordResults(
        sql(),
        claimed,
        noting.map(({ result }) => result),
        now() / 1000,
      )
      if (recorded) options.onRecorded(recorded)
      return recorded !== undefined
    } catch (error) {
      results = [...noting, ...results]
      throw error
    }
  }

  /** Sends until nothing more can begin, or it is time to ask again. */
  async function send({ failing }: Taken) {
    const limit = failing ? 1 : slots
    const timeUp = delay(askEveryMs, 'time is up', { ref: false })
    for (;;) {
      while (inFlight.size < limit && mayBegin()) {
        const at = queue.findIndex(({ aggregate_id }) => !busy.has(aggregate_id))
        const [delivery] = at < 0 ? [] : queue.splice(at, 1)
        if (!delivery) break
        begin(delivery)
      }
      if (inFlight.size === 0) return
      if (inFlight.size < limit && results.length > 0) {
        await Promise.race([Promise.all(inFlight.values()), delay(gatherMs)])
        return
      }
      if ((await Promise.race([...inFlight.values(), timeUp])) === 'time is up') return
    }
  }

  function begin(delivery: Delivery) {
    const { event_id, aggregate_id, asked } = delivery
    busy.add(aggregate_id)
    const target = {
      url,
      secrets: () => secretsNow(asked),
      seal: (text: string, id: string, at: number) => seal.seal(text, answerContext(claimed.id, id, at)),
    }
    const ended = sendDelivery(delivery, target, options)
      .then(result => {
        if (!result) {
          // The endpoint has changed, and so have the deliveries that may be sent.
          queue = []
          return
        }
        options.onResult(result)
        results.push({ result, aggregate_id })
        if (result.error === null || result.asked) return
        const stops = result.rest_until !== null || result.status === 410
        queue = queue.filter(other => !stops && other.aggregate_id !== aggregate_id)
      })
      .catch(error => {
        fault ??= error
      })
      .finally(() => {
        busy.delete(aggregate_id)
        inFlight.delete(event_id)
      })
    inFlight.set(event_id, ended)
  }

  /** The secrets for a request that begins now; undefined: none may begin. */
  async function secretsNow(asked: boolean): Promise<readonly string[] | undefined> {
    try {
      for (let times = 0; times < maxReads; times++) {
        const since = performance.now()
        const target = await readTarget(claimed)
        if (target?.url !== url || !(target.is_active || asked)) return undefined
        const secrets = [target.secret, target.previous_secret].flatMap(sealed =>
          sealed === null ? [] : seal.unseal(sealed, secretContext(claimed.id)),
        )
        if (stopping.aborted || !isSender()) return undefined
        if (performance.now() - since < beginWithinMs) return secrets
      }
    } catch (error) {
      // Without the database it waits, like everything else.
      if (!(error instanceof ApiError)) fault ??= error
    }
    return undefined
  }
}
