/** Many calls, one batch: calls that arrive during a batch form the next one. */
import type { Metrics } from '@svc/telemetry/metrics'
import { meterBatches } from '@svc/telemetry/metrics-batches'
import { type Wait, startWait, traceBatch } from '@svc/telemetry/tracing-batches'
import { tracing } from '@svc/telemetry/tracing'

export interface CoalesceOptions<Item, Result> {
  /**
   * Runs one batch; answers in the order of the items. An Error among the results rejects only the call of
   * its item; a rejection rejects all of them, unless {@link retryAlone} says otherwise.
   */
  readonly run: (items: Item[]) => Promise<(Result | Error)[]>
  readonly maxBatch: number
  readonly name?: string
  /** Concurrent batches, 1 by default. Another one starts only when it would be full, or after `slowMs`. */
  readonly maxConcurrent?: number
  /** Milliseconds after which a running batch no longer holds up the next one. */
  readonly slowMs?: number
  /** Milliseconds from the start of a batch to that of the next one, unless that would be full. */
  readonly restMs?: number
  readonly keyOf?: (item: Item) => string
  readonly groupOf?: (item: Item) => unknown
  /**
   * Whether one item may have made the batch fail without leaving anything behind: each item is then retried
   * separately.
   */
  readonly retryAlone?: (error: unknown) => boolean
  readonly metrics?: Metrics
}

interface Entry<Item, Result> {
  readonly item: Item
  readonly key: string | undefined
  readonly promise: Promise<Result>
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
  waits: Wait[] | undefined
}

/**
 * Makes a function that coalesces its calls into fewer, fuller messages and statements: most of their cost is
 * system calls and wake-ups. Adds no delay while idle: a batch starts at the end of the event loop turn in which
 * its first call was made; only `slowMs` and `restMs` use a timer. A call never joins a batch that has been sent, so its result
 * was read after the call was made.
 */
export function coalesce<Item, Result>({
  run,
  maxBatch,
  name = 'calls',
  maxConcurrent = 1,
  slowMs = 20,
  restMs = 0,
  keyOf,
  groupOf,
  retryAlone = () => false,
  metrics,
}: CoalesceOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Entry<Item, Result>[] = []
  const byKey = new Map<string, Entry<Item, Result>>()
  let underWay = 0
  let lastStart = Number.NEGATIVE_INFINITY
  let scheduled = false
  let slowness: NodeJS.Timeout | undefined
  const sizeOf = metrics && meterBatches(metrics, name, () => waiting.length)

  return item => {
    const key = keyOf?.(item)
    const shared = key === undefined ? undefined : byKey.get(key)
    if (shared) return answerOf(shared)
    const entry = newEntry<Item, Result>(item, key)
    waiting.push(entry)
    if (key !== undefined) byKey.set(key, entry)
    schedule()
    return answerOf(entry)
  }

  function answerOf(entry: Entry<Item, Result>): Promise<Result> {
    const wait = tracing ? startWait(name) : undefined
    if (!wait) return entry.promise
    entry.waits ??= []
    entry.waits.push(wait)
    return wait.until(entry.promise)
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

  /** Without another call, nothing else would notice that the running batch has become slow. */
  function lookAgain() {
    if (slowness) return
    const look = () => {
      slowness = undefined
      schedule()
    }
    slowness = setTimeout(look, lastStart + pauseMs() - performance.now())
  }

  function mayStart(): boolean {
    if (waiting.length === 0 || underWay >= maxConcurrent) return false
    return waiting.length >= maxBatch || performance.now() - lastStart >= pauseMs()
  }

  /** From the last start to the next one. */
  function pauseMs(): number {
    return underWay === 0 ? restMs : Math.max(slowMs, restMs)
  }

  function nextBatch(): Entry<Item, Result>[] {
    const group = groupOf?.((waiting[0] as Entry<Item, Result>).item)
    const batch: Entry<Item, Result>[] = []
    const others: Entry<Item, Result>[] = []
    for (const entry of waiting) {
      const fits = batch.length < maxBatch && groupOf?.(entry.item) === group
      if (fits) batch.push(entry)
      else others.push(entry)
    }
    waiting = others
    for (const { key } of batch) if (key !== undefined) byKey.delete(key)
    return batch
  }

  async function send(batch: Entry<Item, Result>[]) {
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

  async function settle(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error('The batch did not return a result for each item.')
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]
        if (result instanceof Error) reject(result)
        else resolve(result as Result)
      }
    } catch (error) {
      if (batch.length > 1 && retryAlone(error)) await Promise.all(batch.map(entry => settle([entry])))
      else for (const { reject } of batch) reject(error)
    }
  }
}

const waitsOf = (batch: readonly { readonly waits: Wait[] | undefined }[]): Wait[] =>
  batch.flatMap(({ waits }) => waits ?? [])

function newEntry<Item, Result>(item: Item, key: string | undefined): Entry<Item, Result> {
  let resolve!: (result: Result) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<Result>((res, rej) => {
    resolve = res
    reject = rej
  })
  return { item, key, promise, resolve, reject, waits: undefined }
}
