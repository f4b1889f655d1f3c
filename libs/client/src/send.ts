/** One call of one operation: the request, and as many attempts as it takes and may take. */
import { headerName, type Operation } from '@svc/contract/core/operation'
import { connectionReason } from './connection-reason.ts'
import { environmentFetch } from './environment-fetch.ts'
import { ConnectionError, DeadlineExceededError, errorOf, InvalidResponseError } from './errors.ts'
import type { CallOptions, ClientOptions, Clock, Result } from './options.ts'
import { isRepeatable, retryDelay } from './retry.ts'

/** Arguments of any operation. */
export interface AnyArguments {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string | number | undefined>
  readonly headers?: Record<string, string | undefined>
  readonly body?: unknown
}

/** Sends until there is an answer that a repetition would not better, or attempts or time are used up. */
export async function send(
  client: ClientOptions,
  operation: Operation,
  input: AnyArguments = {},
  options: CallOptions = {},
): Promise<Result<unknown>> {
  const { signal } = options
  const { clock = systemClock } = client
  const attempts = options.attempts ?? client.attempts ?? 5
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000
  const attemptTimeoutMs = options.attemptTimeoutMs ?? client.attemptTimeoutMs ?? 10_000
  const deadline = clock.now() + timeoutMs
  // An attempt without time for its answer would turn a clear refusal into an unknown outcome.
  const latestStart = deadline - Math.min(1000, timeoutMs / 2)
  const request = buildRequest(client, operation, input)
  const repeatable = isRepeatable(operation, request.headers)
  for (let attempt = 1; ; attempt++) {
    const token = await currentToken(client)
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
    signal?.throwIfAborted()
    try {
      const left = Math.min(attemptTimeoutMs, deadline - clock.now())
      const answer = await exchange(client, request, left, signal)
      return resultOf(answer, operation, request, clock.now())
    } catch (error) {
      signal?.throwIfAborted()
      const delay = retryDelay({ error, attempt, repeatable }, clock.random)
      if (delay === undefined || attempt >= attempts || clock.now() + delay > latestStart) throw error
      await clock.wait(delay, signal)
    }
  }
}

interface BuiltRequest {
  /** For messages: method and path as the contract has them, without what was filled in. */
  readonly name: string
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
}

/** The same for every attempt, the key above all. */
function buildRequest(client: ClientOptions, operation: Operation, input: AnyArguments): BuiltRequest {
  const { method = 'GET', path: template = '' } = operation.http ?? {}
  const path = template.replace(/\{(\w+)\}/g, (_, name) => segment(name, input.params?.[name]))
  const url = new URL(client.baseUrl.replace(/\/$/, '') + path)
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const headers = new Headers()
  if (client.workspace) headers.set('Svc-Context', client.workspace)
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (value !== undefined) headers.set(headerName(name), value)
  }
  const takesKey = operation.headers !== undefined && 'idempotency-key' in operation.headers.shape
  if (takesKey && !headers.has('idempotency-key')) headers.set('idempotency-key', newKey())
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  if (body !== undefined) headers.set('content-type', 'application/json')
  return { name: `${method} ${template}`, url, method, headers, body }
}

/** As a segment of a path these would name another resource, and what is done to it might be done. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || ['', '.', '..'].includes(value)) {
    throw new TypeError(`params.${name} must be an id, not ${JSON.stringify(value)}.`)
  }
  return encodeURIComponent(value)
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that did not come by HTTPS. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

const currentToken = ({ token }: ClientOptions) => (typeof token === 'function' ? token() : token)

interface WholeAnswer {
  readonly response: Response
  readonly text: string
}

const longestTimerMs = 2 ** 31 - 1

/** One attempt, up to the last byte of its answer. */
async function exchange(
  { fetch = environmentFetch }: ClientOptions,
  { name, url, method, headers, body }: BuiltRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<WholeAnswer> {
  const ended = new AbortController()
  const expire = () => ended.abort(new DeadlineExceededError(name, timeoutMs))
  const timer = setTimeout(expire, Math.min(timeoutMs, longestTimerMs))
  const giveUp = () => ended.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp)
  try {
    // A redirected POST would arrive as a GET, and be answered with something else than what was asked for.
    const response = await fetch(url, { method, headers, body, signal: ended.signal, redirect: 'manual' })
    return { response, text: await response.text() }
  } catch (error) {
    if (ended.signal.aborted) throw ended.signal.reason
    throw new ConnectionError(`Could not connect (${connectionReason(error)}): ${name}`, { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

function resultOf(
  { response, text }: WholeAnswer,
  { output }: Operation,
  { name }: BuiltRequest,
  now: number,
): Result<unknown> {
  const body = parse(text)
  if (!response.ok) throw errorOf(response, body, now)
  if (body === undefined && (output || text !== '')) throw new InvalidResponseError(name, response)
  return { status: response.status, body, headers: response.headers }
}

/** A proxy in front may answer with something else than JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const giveUp = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }, ms)
      signal?.addEventListener('abort', giveUp, { once: true })
    }),
}
