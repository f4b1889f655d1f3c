/** A typed client of the HTTP API, derived from the contract: no operation is named here. */
import type { ErrorEntry, Tag } from '@svc/contract/errors'
import { headerName, type Operation } from '@svc/contract/operation'
import { services } from '@svc/contract/services'
import type { z } from 'zod'

export interface ClientOptions {
  /** The versioned root, e.g. `https://api.example.com/v1`. */
  readonly baseUrl: string
  /** Session token, workspace API token or JWT. */
  readonly token: string
  /** The workspace to act in (`Svc-Context`); not needed with a workspace API token. */
  readonly workspace?: string
  /** Milliseconds until a call is given up; 10,000 unless given. */
  readonly timeoutMs?: number
  readonly fetch?: typeof fetch
}

type Sent<T> = T extends z.ZodType ? z.input<T> : never
type Received<T> = T extends z.ZodType ? z.output<T> : undefined
type Part<Op, K extends string> = Op extends { readonly [P in K]: infer T } ? Sent<T> : never
/** An input whose properties are all optional may be left out. */
type Field<K extends string, T> = [T] extends [never]
  ? { readonly [P in K]?: undefined }
  : Record<never, never> extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T }

/** The arguments of one operation: path parameters, query, headers by lower-case name, body. */
export type Arguments<Op> = Field<'params', Part<Op, 'params'>> &
  Field<'query', Partial<Record<keyof Part<Op, 'query'>, string | number>>> &
  Field<'headers', Part<Op, 'headers'>> &
  Field<'body', Part<Op, 'body'>>

export interface Result<T> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

type Method<Op extends Operation> = (
  ...input: Record<never, never> extends Arguments<Op> ? [input?: Arguments<Op>] : [input: Arguments<Op>]
) => Promise<Result<Received<Op['output']>>>

type HttpOperations<Ops> = { [K in keyof Ops as Ops[K] extends { http: object } ? K : never]: Ops[K] }

/** Every operation that has an HTTP side, by service. */
export type Client = {
  readonly [S in keyof typeof services]: {
    readonly [K in keyof HttpOperations<
      (typeof services)[S]['operations']
    >]: (typeof services)[S]['operations'][K] extends Operation
      ? Method<(typeof services)[S]['operations'][K]>
      : never
  }
}

/** An answer that is not a success. `errors` is empty for the bodies outside the envelope; `body` holds them whole. */
export class ApiResponseError extends Error {
  readonly status: number
  readonly tag: Tag | undefined
  readonly errors: readonly ErrorEntry[]
  readonly body: unknown
  /** Quote it when reporting a fault. */
  readonly requestId: string | null
  /** Seconds after which a retry makes sense, where the server says so. */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: unknown) {
    const { _tag, errors: entries } = (body ?? {}) as { _tag?: Tag; errors?: ErrorEntry[] }
    const errors = Array.isArray(entries) ? entries : []
    super(errors[0]?.message ?? _tag ?? `HTTP ${response.status}`)
    this.name = 'ApiResponseError'
    this.status = response.status
    this.tag = _tag
    this.errors = errors
    this.body = body
    this.requestId = response.headers.get('svc-request-id')
    this.retryAfter = Number(response.headers.get('retry-after')) || undefined
  }
}

/**
 * Makes a client. Every method resolves to status, body and headers.
 *
 * @throws ApiResponseError (from the methods) for every answer that is not a success
 */
export function createClient(options: ClientOptions): Client {
  return Object.fromEntries(
    Object.values(services).map(({ name, operations }) => [
      name,
      Object.fromEntries(
        Object.entries<Operation>(operations)
          .filter(([, operation]) => operation.http)
          .map(([key, operation]) => [key, (input: AnyArguments) => send(options, operation, input)]),
      ),
    ]),
  ) as unknown as Client
}

interface AnyArguments {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string | number | undefined>
  readonly headers?: Record<string, string | undefined>
  readonly body?: unknown
}

async function send(
  options: ClientOptions,
  { http }: Operation,
  input: AnyArguments = {},
): Promise<Result<unknown>> {
  const { baseUrl, token, workspace, timeoutMs = 10_000 } = options
  const path = (http?.path ?? '').replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(input.params?.[name] ?? ''),
  )
  const url = new URL(baseUrl.replace(/\/$/, '') + path)
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const headers = new Headers({ authorization: `Bearer ${token}` })
  if (workspace) headers.set('Svc-Context', workspace)
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (value !== undefined) headers.set(headerName(name), value)
  }
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  const response = await (options.fetch ?? fetch)(url, {
    method: http?.method ?? 'GET',
    headers,
    body: input.body === undefined ? undefined : JSON.stringify(input.body),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  const body = text === '' ? undefined : parse(text)
  if (!response.ok) throw new ApiResponseError(response, body)
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
