/** Many calls, one batch: what arrives while batches are under way forms the next one. */

export interface CoalesceOptions<Item, Result> {
  /** Runs one batch; answers in the order of the items. */
  readonly run: (items: Item[]) => Promise<Result[]>
  readonly maxBatch: number
  /** Batches under way at once. */
  readonly maxConcurrent: number
  /** Items with the same key share one place in a batch. */
  readonly keyOf?: (item: Item) => string
}

interface Place<Item, Result> {
  readonly item: Item
  readonly promise: Promise<Result>
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Makes a function that coalesces its calls. No timer, and no delay while idle: the first call starts a batch at
 * once. A call never joins a batch that has been sent, so what it is told was read after it was made.
 */
export function coalesce<Item, Result>({
  run,
  maxBatch,
  maxConcurrent,
  keyOf,
}: CoalesceOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Place<Item, Result>[] = []
  const byKey = new Map<string, Place<Item, Result>>()
  let underWay = 0

  return item => {
    const key = keyOf?.(item)
    const shared = key === undefined ? undefined : byKey.get(key)
    if (shared) return shared.promise
    const place = newPlace<Item, Result>(item)
    waiting.push(place)
    if (key !== undefined) byKey.set(key, place)
    if (underWay < maxConcurrent) void send()
    return place.promise
  }

  async function send() {
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    if (keyOf) for (const { item } of batch) byKey.delete(keyOf(item))
    underWay++
    try {
      const results = await run(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error('The batch did not answer each of its items.')
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      if (waiting.length > 0) void send()
    }
  }
}

function newPlace<Item, Result>(item: Item): Place<Item, Result> {
  let resolve!: (result: Result) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<Result>((res, rej) => {
    resolve = res
    reject = rej
  })
  return { item, promise, resolve, reject }
}
