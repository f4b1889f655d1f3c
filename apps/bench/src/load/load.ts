/**
 * The load of one window: connections that each send the next request when the last is answered; in an open loop not
 * before it is due.
 */
import { randomUUID } from 'node:crypto'
import { createHistogram } from 'node:perf_hooks'
import { Client, type Dispatcher } from 'undici'
import { createPace } from './pace.ts'
import { type Kind, kindsOf, requestForm, type Seed, type Workload } from './workloads.ts'

export interface LoadOrder {
  /** Roots of the variant's HTTP servers, over which the connections are spread. */
  readonly urls: readonly string[]
  readonly seed: Seed
  readonly workload: Workload
  readonly connections: number
  /** One per connection, only for PATCH. */
  readonly clusters?: readonly Cluster[]
  readonly open?: OpenLoop
}

/** Requests at a fixed rate. Each one's time counts from when it was due, so that waiting for a connection counts, too. */
export interface OpenLoop {
  readonly per_second: number
  /** API tokens, for one request each in turn. */
  readonly tokens: readonly string[]
}

export interface Cluster {
  readonly id: string
  readonly etag: string
  readonly max_machines: number
}

/** What was answered since the previous mark. */
export interface Mark {
  readonly ms: number
  readonly requests: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
}

/** Successful answers from the first request to the last. */
export interface Acknowledged {
  readonly requests: Partial<Record<Kind, number>>
  /** The etags that the connections hold, by cluster. */
  readonly etags: Readonly<Record<string, string>>
}

export interface Load {
  mark(): Mark
  /** Sends nothing more, and waits for the answers to what is in progress. */
  stop(): Promise<Acknowledged>
  /** Rejects at the first unsuccessful answer, and when a connection fails. */
  readonly failure: Promise<never>
}

const maxMachines = 1000

export function startLoad(order: LoadOrder): Load {
  const { urls, seed, workload, connections, clusters = [], open } = order
  const histogram = createHistogram()
  const requests: Partial<Record<Kind, number>> = {}
  const etags: Record<string, string> = {}
  let markedAt = performance.now()
  let going = true
  let fail: (error: Error) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    fail = error => {
      going = false
      pace?.stop()
      reject(error)
    }
  })
  failure.catch(() => {})
  const kinds = kindsOf(workload)
  const authorize = authorizations(open?.tokens ?? [seed.token])
  const pace = open && createPace(open.per_second)
  const ended = Array.from({ length: connections }, (_, index) => connect(index))

  return {
    failure,
    mark() {
      const now = performance.now()
      const mark = {
        ms: now - markedAt,
        requests: histogram.count,
        p50_ms: histogram.percentile(50) / 1000,
        p99_ms: histogram.percentile(99) / 1000,
        max_ms: histogram.count > 0 ? histogram.max / 1000 : 0,
      }
      markedAt = now
      histogram.reset()
      return mark
    },
    async stop() {
      going = false
      pace?.stop()
      await Promise.race([Promise.all(ended), failure])
      return { requests, etags }
    },
  }

  function connect(index: number): Promise<void> {
    const client = new Client(urls[index % urls.length] as string, {
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 600_000,
      keepAliveMaxTimeout: 600_000,
    })
    const cluster = clusters[index]
    if (kinds.includes('settings') && !cluster)
      throw new Error(`There is no cluster for connection ${index}.`)
    const sent = kinds.map(kind => prepare(kind, seed, authorize, cluster))
    let turn = index % sent.length
    let current = sent[turn] as Prepared
    let sentAt = 0
    let status = 0
    let text = ''
    return new Promise(resolve => {
      // undici's internal interface: the newer one makes an object of the headers of every answer.
      const handler: Dispatcher.DispatchHandler = {
        onConnect() {},
        onHeaders(code) {
          status = code
          return true
        },
        onData(chunk) {
          if (current.settings || status !== current.status) text += chunk.toString('utf8')
          return true
        },
        onComplete() {
          histogram.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)))
          if (status !== current.status) {
            return fail(new Error(`${current.kind} was answered ${status}: ${text.slice(0, 500)}`))
          }
          requests[current.kind] = (requests[current.kind] ?? 0) + 1
          if (current.settings) etags[current.settings.id] = current.settings.accept(text)
          text = ''
          // Not from inside the parser: undici frees the connection after this call.
          setImmediate(next)
        },
        onError(error) {
          fail(new Error(`${current.kind} was not answered: ${error.message}`))
        },
      }
      next()

      function next() {
        if (!going) send(undefined)
        else if (!pace) send(performance.now())
        else if (pace.late > (open?.per_second ?? 0)) {
          fail(new Error(`The answers are more than a second behind ${open?.per_second} requests a second.`))
        } else pace.take(send)
      }

      /** @param at when the request is sent, or was due; undefined: there are no more */
      function send(at: number | undefined) {
        if (at === undefined) {
          client.close().then(resolve, resolve)
          return
        }
        turn = (turn + 1) % sent.length
        current = sent[turn] as Prepared
        sentAt = at
        client.dispatch(current.next(), handler)
      }
    })
  }
}

interface Prepared {
  readonly kind: Kind
  readonly status: number
  next(): Dispatcher.DispatchOptions
  readonly settings?: { readonly id: string; accept(body: string): string }
}

/** The header's value for each request, one token after the other. */
function authorizations(tokens: readonly string[]): () => string {
  const values = tokens.map(token => `Bearer ${token}`)
  let at = 0
  return () => values[at++ % values.length] as string
}

function prepare(kind: Kind, seed: Seed, authorize: () => string, cluster: Cluster | undefined): Prepared {
  const { method, path, status, key, body } = requestForm(kind, seed)
  const headers = ['authorization', authorize()]
  if (cluster && kind === 'settings') return prepareSettings(cluster, headers)
  if (body !== undefined) headers.push('content-type', 'application/json')
  // undici copies the headers when a request is made, so one list serves them all.
  const keyAt = key ? headers.push('idempotency-key', '') - 1 : -1
  const options = { method, path, headers, body: body === undefined ? undefined : Buffer.from(body) }
  return {
    kind,
    status,
    next() {
      headers[1] = authorize()
      if (keyAt >= 0) headers[keyAt] = randomUUID()
      return options
    },
  }
}

/** Each request changes the settings and carries the etag of the previous answer. */
function prepareSettings({ id, etag, max_machines }: Cluster, common: readonly string[]): Prepared {
  const headers = [...common, 'content-type', 'application/json', 'if-match', `"${etag}"`]
  const etagAt = headers.length - 1
  const path = `/v1/clusters/${id}/compute_settings`
  let machines = max_machines
  return {
    kind: 'settings',
    status: 200,
    next() {
      machines = (machines % maxMachines) + 1
      return {
        method: 'PATCH',
        path,
        headers,
        body: `{"auto_scaling_enabled":true,"max_machines":${machines}}`,
      }
    },
    settings: {
      id,
      accept(body) {
        const { etag: current } = JSON.parse(body) as { etag: string }
        headers[etagAt] = `"${current}"`
        return current
      },
    },
  }
}
