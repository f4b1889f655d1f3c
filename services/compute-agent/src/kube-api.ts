import { type Dispatcher, request } from 'undici'
import type { KubeAccess } from './kube-access.ts'

/** A refusal by the API server, with its status: of the answer, or of a `Status` within a watch. */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export interface WatchEvent {
  readonly type: string
  /** A Status if the event has the type ERROR. */
  readonly object: {
    readonly metadata?: { readonly resourceVersion?: string }
    readonly code?: number
    readonly message?: string
  }
}
type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface KubeApi {
  get<T>(path: string, query?: Query): Promise<T>
  /** A JSON merge patch (RFC 7396). */
  patch(path: string, body: object, query?: Query): Promise<void>
  /** @returns the events, once the API server has begun to send them */
  watch(path: string, query: Query, signal: AbortSignal): Promise<AsyncIterable<WatchEvent>>
}

const requestMs = 10_000

/** Requests fail after 10 seconds, or with a `KubeError` if the API server refuses them. */
export function createKubeApi({ server, dispatcher, authorization }: KubeAccess): KubeApi {
  return {
    get: async <T>(path: string, query?: Query) =>
      (await (await send('GET', path, { query, signal: AbortSignal.timeout(requestMs) })).json()) as T,
    async patch(path, content, query) {
      const headers = { 'content-type': 'application/merge-patch+json' }
      const body = JSON.stringify(content)
      const signal = AbortSignal.timeout(requestMs)
      await (await send('PATCH', path, { query, headers, body, signal })).dump()
    },
    // The signal limits how long a watch may be silent.
    watch: async (path, query, signal) =>
      eventsIn(await send('GET', path, { query: { ...query, watch: true }, signal, bodyTimeout: 0 })),
  }

  async function send(
    method: Dispatcher.HttpMethod,
    path: string,
    { query = {}, headers, ...options }: SendOptions,
  ) {
    const url = new URL(`${server}${path}`)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const allowed = await authorization()
    const { statusCode, body } = await request(url, {
      ...options,
      method,
      dispatcher,
      headers: { accept: 'application/json', ...(allowed && { authorization: allowed }), ...headers },
    })
    if (statusCode < 300) return body
    throw new KubeError(statusCode, `${statusCode}: ${messageIn(await body.text())}`)
  }
}

interface SendOptions {
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  readonly bodyTimeout?: number
}
type Body = Dispatcher.ResponseData['body']

async function* eventsIn(body: Body): AsyncGenerator<WatchEvent> {
  let rest = ''
  for await (const chunk of body.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as WatchEvent
  }
}

/** The message of a Status; a proxy may answer in another format. */
function messageIn(text: string): string {
  try {
    return String(JSON.parse(text).message)
  } catch {
    return text.slice(0, 200)
  }
}
