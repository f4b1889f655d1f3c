/** An API server with MachineDeployments, as it is on the wire: list, get, merge patch, watch. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '@svc/local/free-port'

export interface Deployment {
  metadata: {
    name: string
    namespace: string
    resourceVersion: string
    annotations?: Record<string, string>
  }
  spec: { replicas?: number }
  status: { replicas?: number }
}
interface Event {
  type: string
  version: number
  name: string
  object: Deployment
}

const kind = { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'MachineDeployment' }
const root = '/apis/cluster.x-k8s.io/v1beta1/namespaces/pools/machinedeployments'
export const token = 'of-the-test'

export type ApiServer = Awaited<ReturnType<typeof startApiServer>>

export async function startApiServer() {
  const objects = new Map<string, Deployment>()
  const history: Event[] = []
  const watches = new Set<{ name: string; response: ServerResponse }>()
  const requests: string[] = []
  /** What happened up to here is forgotten. */
  let compacted = 0
  let version = 100
  let meddle: (() => void) | undefined
  let goneAs: 'status' | 'event' = 'event'
  const port = await freePort()
  let server = await listen()

  function listen() {
    const created = createServer((request, response) => {
      handle(request, response).catch(error => response.destroy(error))
    })
    created.listen(port, '127.0.0.1')
    return once(created, 'listening').then(() => created)
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', 'http://x')
    const query = url.searchParams
    requests.push(
      `${query.get('watch') ? 'WATCH' : request.method} ${query.get('resourceVersion') ?? ''}`.trim(),
    )
    if (request.headers.authorization !== `Bearer ${token}`) return status(response, 401, 'Unauthorized')
    if (url.pathname === root && request.method === 'GET') {
      const name = query.get('fieldSelector')?.replace('metadata.name=', '') ?? ''
      if (query.get('watch') === 'true') return watch(response, name, query)
      const items = [...objects.values()].filter(({ metadata }) => metadata.name === name)
      return json(response, 200, {
        apiVersion: kind.apiVersion,
        kind: 'MachineDeploymentList',
        metadata: { resourceVersion: String(version) },
        items,
      })
    }
    const found = objects.get(url.pathname.slice(root.length + 1))
    if (!url.pathname.startsWith(`${root}/`) || !found) return status(response, 404, 'NotFound')
    if (request.method === 'GET') return json(response, 200, { ...kind, ...found })
    if (request.method !== 'PATCH') return status(response, 405, 'MethodNotAllowed')
    if (request.headers['content-type'] !== 'application/merge-patch+json')
      return status(response, 415, 'UnsupportedMediaType')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const patch = JSON.parse(Buffer.concat(chunks).toString())
    meddle?.()
    meddle = undefined
    const now = objects.get(found.metadata.name) as Deployment
    if ((patch.metadata?.resourceVersion ?? now.metadata.resourceVersion) !== now.metadata.resourceVersion)
      return status(response, 409, 'Conflict')
    delete patch.metadata?.resourceVersion
    return json(response, 200, { ...kind, ...store(merge(now, patch) as Deployment, 'MODIFIED') })
  }

  function watch(response: ServerResponse, name: string, query: URLSearchParams) {
    const from = Number(query.get('resourceVersion'))
    if (from < compacted && goneAs === 'status') return status(response, 410, 'Expired')
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    response.flushHeaders()
    if (from < compacted) {
      response.end(line('ERROR', statusBody(410, 'Expired')))
      return
    }
    for (const event of history)
      if (event.name === name && event.version > from) response.write(line(event.type, event.object))
    const watching = { name, response }
    watches.add(watching)
    const timer = setTimeout(() => response.end(), Number(query.get('timeoutSeconds')) * 1000)
    response.once('close', () => {
      clearTimeout(timer)
      watches.delete(watching)
    })
  }

  function store(object: Deployment, type: string): Deployment {
    version++
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
    const { name } = stored.metadata
    if (type === 'DELETED') objects.delete(name)
    else objects.set(name, stored)
    history.push({ type, version, name, object: stored })
    for (const { name: watched, response } of watches)
      if (watched === name) response.write(line(type, stored))
    return stored
  }

  return {
    url: `http://127.0.0.1:${port}`,
    /** Method and resourceVersion of each, in their order. */
    requests,
    watching: () => watches.size,
    get: (name: string) => objects.get(name) as Deployment,
    put(name: string, spec: { replicas?: number }, annotations?: Record<string, string>) {
      const metadata = { name, namespace: 'pools', resourceVersion: '', ...(annotations && { annotations }) }
      store({ metadata, spec, status: { replicas: spec.replicas ?? 1 } }, 'ADDED')
    },
    /** As another program, or the controllers of Cluster API. */
    change(name: string, patch: object) {
      store(merge(objects.get(name), patch) as Deployment, 'MODIFIED')
    },
    remove: (name: string) => void store(objects.get(name) as Deployment, 'DELETED'),
    /** Done once, between the next patch's arrival and its execution. */
    meddleOnce: (work: () => void) => {
      meddle = work
    },
    bookmark() {
      version++
      for (const { response } of watches)
        response.write(line('BOOKMARK', { ...kind, metadata: { resourceVersion: String(version) } }))
      return String(version)
    },
    /** Forgets what has happened, and how it says so: as the answer, or as the first event of the watch. */
    compact(as: 'status' | 'event') {
      compacted = ++version
      goneAs = as
      history.length = 0
    },
    /** Ends the watches as a server does that is done, or as a network that fails. */
    endWatches(how: 'end' | 'destroy') {
      for (const { response } of watches) how === 'end' ? response.end() : response.socket?.destroy()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      if (server.listening) await once(server, 'close')
    },
    async restart() {
      server = await listen()
    },
  }
}

const line = (type: string, object: object) => `${JSON.stringify({ type, object: { ...kind, ...object } })}\n`

const statusBody = (code: number, reason: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: reason,
  reason,
  code,
})

const status = (response: ServerResponse, code: number, reason: string) =>
  json(response, code, statusBody(code, reason))

function json(response: ServerResponse, code: number, body: object) {
  response.writeHead(code, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** RFC 7396. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const merged: Record<string, unknown> = { ...(target as object | undefined) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}
