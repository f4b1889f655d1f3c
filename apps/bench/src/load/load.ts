/** The load of one window: a connection for each lane of the loop. */
import { randomUUID } from 'node:crypto'
import { createHistogram } from 'node:perf_hooks'
import { Client } from 'undici'
import { type Loop, startLoop } from './loop.ts'
import { type Cluster, type Kind, kindsOf, requestForm, type Seed, type Workload } from './workloads.ts'

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

/** Requests at a fixed rate. Each one's time counts from when it was due. */
export interface OpenLoop {
  readonly per_second: number
  /** API tokens, for one request each in turn. */
  readonly tokens: readonly string[]
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

export interface Load extends Pick<Loop, 'failure'> {
  mark(): Mark
  /** Sends nothing more, and waits for the answers to what is in progress. */
  stop(): Promise<Acknowledged>
}

const maxMachines = 1000

export function startLoad({ urls, seed, workload, connections, clusters, open }: LoadOrder): Load {
  const recorder = createRecorder()
  const requests: Partial<Record<Kind, number>> = {}
  const kinds = kindsOf(workload)
  const held = (clusters ?? []).map(cluster => ({ ...cluster }))
  if (kinds.includes('settings') && held.length < connections)
    throw new Error(`There are ${held.length} clusters for ${connections} connections.`)
  const forms = new Map(kinds.map(kind => [kind, requestForm(kind, seed)]))
  const tokens = open?.tokens ?? [seed.token]
  const clients = Array.from({ length: connections }, (_, index) => connect(urls[index % urls.length] ?? ''))
  let sent = 0

  const loop = startLoop({
    lanes: connections,
    perSecond: open?.per_second,
    what: 'requests',
    async act(lane, dueAt) {
      const kind = kinds[sent % kinds.length] as Kind
      const token = tokens[sent++ % tokens.length] as string
      const cluster = kind === 'settings' ? held[lane] : undefined
      if (cluster) cluster.max_machines = (cluster.max_machines % maxMachines) + 1
      const form = cluster ? requestForm(kind, seed, cluster) : forms.get(kind)
      const { method, path, body, key, status } = form as NonNullable<typeof form>
      const headers = ['authorization', `Bearer ${token}`]
      if (body !== undefined) headers.push('content-type', 'application/json')
      if (key) headers.push('idempotency-key', randomUUID())
      if (cluster) headers.push('if-match', `"${cluster.etag}"`)
      const answer = await send(clients[lane] as Client, { method, path, body, headers }).catch(error => {
        throw new Error(`${kind} was not answered: ${error.message}`)
      })
      recorder.record(answer.at - dueAt)
      if (answer.status !== status)
        throw new Error(`${kind} was answered ${answer.status}: ${answer.text().slice(0, 500)}`)
      requests[kind] = (requests[kind] ?? 0) + 1
      if (cluster) cluster.etag = (JSON.parse(answer.text()) as Cluster).etag
    },
  })
  return {
    failure: loop.failure,
    mark: recorder.mark,
    async stop() {
      await loop.stop().finally(() => Promise.all(clients.map(client => client.destroy())))
      return { requests, etags: Object.fromEntries(held.map(({ id, etag }) => [id, etag])) }
    },
  }
}

/** Records how long something took; a mark ends a stretch of time and begins the next one. */
export function createRecorder() {
  const histogram = createHistogram()
  let markedAt = performance.now()
  return {
    record: (ms: number) => histogram.record(Math.max(1, Math.round(ms * 1000))),
    mark(): Mark {
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
  }
}

const connect = (url: string) =>
  new Client(url, {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 600_000,
    keepAliveMaxTimeout: 600_000,
  })

interface Answer {
  readonly status: number
  /** When it was here, ms of `performance.now()`. */
  readonly at: number
  text(): string
}

/** By undici's internal interface: the newer one makes an object of the headers of every answer. */
function send(client: Client, request: Parameters<Client['dispatch']>[0]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status = 0
    const chunks: Buffer[] = []
    client.dispatch(request, {
      onConnect() {},
      onHeaders(code) {
        status = code
        return true
      },
      onData: chunk => chunks.push(chunk) > 0,
      onComplete() {
        const answer = { status, at: performance.now(), text: () => Buffer.concat(chunks).toString() }
        // What is answered in one turn of the event loop is followed by requests that are sent together.
        setImmediate(resolve, answer)
      },
      onError: reject,
    })
  })
}
