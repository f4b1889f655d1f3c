/** Many calls, one batch: what arrives while batches are under way forms the next one. */
import type { Metrics } from '@svc/telemetry/metrics'
import { meterBatches } from '@svc/telemetry/metrics-batches'
import { type Wait, startWait, traceBatch } from '@svc/telemetry/tracing-batches'
import { tracing } from '@svc/telemetry/tracing'

export interface CoalesceOptions<Item, Result> {
  /**
   * Runs one batch; answers in the order of the items. An Error among the results rejects the call of its item alone;
   * a rejection is the answer to all of them, unless {@link retryAlone} says otherwise.
   */
  readonly run: (items: Item[]) => Promise<(Result | Error)[]>
  readonly maxBatch: number
  /** What metrics and traces call these batches. */
  readonly name?: string
  /** Batches under way at once; one unless told. A further one starts only when it would be full, or see `slowMs`. */
  readonly maxConcurrent?: number
  /** Milliseconds after which a batch under way no longer holds up the next one. */
  readonly slowMs?: number
  /** Items with the same key share one place in a batch. */
  readonly keyOf?: (item: Item) => string
  /** A batch holds items of one group only. */
  readonly groupOf?: (item: Item) => unknown
  /** Whether a failed batch may have failed for one of its items, and left nothing behind: each is tried alone then. */
  readonly retryAlone?: (error: unknown) => boolean
  /** Where the sizes of the batches are counted. */
  readonly metrics?: Metrics
}

interface Place<Item, Result> {
  readonly item: Item
  readonly key: string | undefined
  readonly promise: Promise<Result>
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
  /** Of the traced calls among those that share the place. */
  waits: Wait[] | undefined
}

/**
 * Makes a function that coalesces its calls: fewer and fuller messages and statements, because system calls and
 * wake-ups are what they cost. No delay while idle: a batch starts at the end of the turn of the event loop in which
 * its first call was made, and no timer decides but the one that finds a batch under way to be slow. A call never joins
 * a batch that has been sent, so what it is told was read after it was made.
 */
export function coalesce<Item, Result>({
  run,
  maxBatch,
  name = 'calls',
  maxConcurrent = 1,
  slowMs = 20,
  keyOf,
  groupOf,
  retryAlone = () => false,
  metrics,
}: CoalesceOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Place<Item, Result>[] = []
  const byKey = new Map<string, Place<Item, Result>>()
  let underWay = 0
  let lastStart = 0
  let scheduled = false
  let slowness: NodeJS.Timeout | undefined
  const sizeOf = metrics && meterBatches(metrics, name, () => waiting.length)

  return item => {
    const key = keyOf?.(item)
    const shared = key === undefined ? undefined : byKey.get(key)
    if (shared) return answerOf(shared)
    const place = newPlace<Item, Result>(item, key)
    waiting.push(place)
    if (key !== undefined) byKey.set(key, place)
    schedule()
    return answerOf(place)
  }

  function answerOf(place: Place<Item, Result>): Promise<Result> {
    const wait = tracing ? startWait(name) : undefined
    if (!wait) return place.promise
    place.waits ??= []
    place.waits.push(wait)
    return wait.until(place.promise)
  }

  function schedule() {
    if (scheduled || waiting.length === 0 || underWay >= maxConcurrent) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (mayStart()) void send(nextBatch())
      if (waiting.length > 0 && underWay < maxConcurrent) lookAgain()
    })
  }

  /** Where nobody comes any more, nobody else would see that the batch under way has become slow. */
  function lookAgain() {
    if (slowness) return
    const look = () => {
      slowness = undefined
      schedule()
    }
    slowness = setTimeout(look, lastStart + slowMs - performance.now())
  }

  function mayStart(): boolean {
    if (waiting.length === 0 || underWay >= maxConcurrent) return false
    return underWay === 0 || waiting.length >= maxBatch || performance.now() - lastStart >= slowMs
  }

  function nextBatch(): Place<Item, Result>[] {
    const group = groupOf?.((waiting[0] as Place<Item, Result>).item)
    const batch: Place<Item, Result>[] = []
    const others: Place<Item, Result>[] = []
    for (const place of waiting) {
      const fits = batch.length < maxBatch && groupOf?.(place.item) === group
      if (fits) batch.push(place)
      else others.push(place)
    }
    waiting = others
    for (const { key } of batch) if (key !== undefined) byKey.delete(key)
    return batch
  }

  async function send(batch: Place<Item, Result>[]) {
    underWay++
    lastStart = performance.now()
    sizeOf?.(batch.length)
    try {
      if (tracing) await traceBatch(name, waitsOf(batch), batch.length, () => settle(batch))
      else await settle(batch)
    } finally {
      underWay--
      schedule()
    }
  }

  async function settle(batch: Place<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error('The batch did not answer each of its items.')
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]
        if (result instanceof Error) reject(result)
        else resolve(result as Result)
      }
    } catch (error) {
      if (batch.length > 1 && retryAlone(error)) await Promise.all(batch.map(place => settle([place])))
      else for (const { reject } of batch) reject(error)
    }
  }
}

const waitsOf = (batch: readonly { readonly waits: Wait[] | undefined }[]): Wait[] =>
  batch.flatMap(({ waits }) => waits ?? [])

function newPlace<Item, Result>(item: Item, key: string | undefined): Place<Item, Result> {
  let resolve!: (result: Result) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<Result>((res, rej) => {
    resolve = res
    reject = rej
  })
  return { item, key, promise, resolve, reject, waits: undefined }
}
