/** What a call can end with other than a success. A class for every tag of the contract, so that `instanceof` decides. */
import type { Tag } from '@svc/contract/core/error-codes'
import type { ErrorEntry } from '@svc/contract/core/errors'

/** What an error is made of; a `Response` is one. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
}

/**
 * An answer that is not a success. Where the contract knows its tag it is of that tag's class; this class alone means that
 * something between client and API answered, or that the API is newer than the client.
 */
export class ApiResponseError extends Error {
  readonly status: number
  readonly tag: string | undefined
  /** Every problem that was found; empty for the bodies outside the envelope, which `body` holds whole. */
  readonly errors: readonly ErrorEntry[]
  readonly body: unknown
  /** Quote it when reporting a fault. */
  readonly requestId: string | null
  /** Seconds to wait before trying again, if the server sent them. */
  readonly retryAfter: number | undefined

  /** `now` in Unix milliseconds: `Retry-After` may be a date. */
  constructor({ status, headers }: Answer, body: unknown, now = Date.now()) {
    const { _tag, errors: entries } = (body ?? {}) as { _tag?: unknown; errors?: ErrorEntry[] }
    const tag = typeof _tag === 'string' ? _tag : undefined
    const errors = Array.isArray(entries) ? entries : []
    super(errors[0]?.message ?? tag ?? sentenceOf(status))
    this.name = isTag(tag) ? className(tag) : 'ApiResponseError'
    this.status = status
    this.tag = tag
    this.errors = errors
    this.body = body
    this.requestId = headers.get('svc-request-id')
    this.retryAfter = secondsUntil(headers.get('retry-after'), now)
  }

  /** With what support asks for: `ConflictError: It cannot be deleted. (code 40909, request req_…)`. */
  override toString(): string {
    const codes = [...new Set(this.errors.flatMap(entry => entry?.code ?? []))]
    const which = codes.length > 0 ? `code ${codes.join(', ')}` : `status ${this.status}`
    const request = this.requestId ? `, request ${this.requestId}` : ''
    return `${this.name}: ${this.message} (${which}${request})`
  }
}

export class ValidationError extends ApiResponseError {
  declare readonly tag: 'Validation'
}
export class UnauthorizedError extends ApiResponseError {
  declare readonly tag: 'Unauthorized'
}
export class ForbiddenError extends ApiResponseError {
  declare readonly tag: 'Forbidden'
}
export class NotFoundError extends ApiResponseError {
  declare readonly tag: 'NotFound'
}
export class MethodNotAllowedError extends ApiResponseError {
  declare readonly tag: 'MethodNotAllowed'
}
export class RequestTimeoutError extends ApiResponseError {
  declare readonly tag: 'RequestTimeout'
}
export class ConflictError extends ApiResponseError {
  declare readonly tag: 'Conflict'
}
export class PayloadTooLargeError extends ApiResponseError {
  declare readonly tag: 'PayloadTooLarge'
}
export class UnsupportedMediaTypeError extends ApiResponseError {
  declare readonly tag: 'UnsupportedMediaType'
}
export class UnprocessableError extends ApiResponseError {
  declare readonly tag: 'Unprocessable'
}
export class RateLimitedError extends ApiResponseError {
  declare readonly tag: 'RateLimited'
}
export class HeadersTooLargeError extends ApiResponseError {
  declare readonly tag: 'HeadersTooLarge'
}
export class InternalError extends ApiResponseError {
  declare readonly tag: 'Internal'
}
/** Not executed, or safe to repeat. */
export class UnavailableError extends ApiResponseError {
  declare readonly tag: 'Unavailable'
}
/** The API had no response in time; it is unknown whether the request was executed. */
export class TimeoutError extends ApiResponseError {
  declare readonly tag: 'Timeout'
}
export class ClusterNotFoundError extends ApiResponseError {
  declare readonly tag: 'ClusterNotFoundError'
}
export class ComputeSettingsConflictError extends ApiResponseError {
  declare readonly tag: 'ComputeSettingsConflictError'
  declare readonly body: { readonly message: string; readonly currentEtag: string }
}
export class ComputeSettingsQueryError extends ApiResponseError {
  declare readonly tag: 'ComputeSettingsQueryError'
  declare readonly body: { readonly cause: unknown }
}

/** A tag without a class, and a class in the row of another tag, are compile errors. */
const classes: {
  readonly [T in Tag]: new (
    ...input: ConstructorParameters<typeof ApiResponseError>
  ) => ApiResponseError & { readonly tag: T }
} = {
  Validation: ValidationError,
  Unauthorized: UnauthorizedError,
  Forbidden: ForbiddenError,
  NotFound: NotFoundError,
  MethodNotAllowed: MethodNotAllowedError,
  RequestTimeout: RequestTimeoutError,
  Conflict: ConflictError,
  PayloadTooLarge: PayloadTooLargeError,
  UnsupportedMediaType: UnsupportedMediaTypeError,
  Unprocessable: UnprocessableError,
  RateLimited: RateLimitedError,
  HeadersTooLarge: HeadersTooLargeError,
  Internal: InternalError,
  Unavailable: UnavailableError,
  Timeout: TimeoutError,
  ClusterNotFoundError,
  ComputeSettingsConflictError,
  ComputeSettingsQueryError,
}

/** Makes the error of an answer that is not a success. */
export function errorOf(answer: Answer, body: unknown, now: number): ApiResponseError {
  const tag = (body as { _tag?: unknown } | null | undefined)?._tag
  return new (isTag(tag) ? classes[tag] : ApiResponseError)(answer, body, now)
}

/** A tag of the contract, not merely a property that every object has. */
const isTag = (tag: unknown): tag is Tag => typeof tag === 'string' && Object.hasOwn(classes, tag)

/** Not taken from the class, whose name a bundler may shorten. */
const className = (tag: Tag) => (tag.endsWith('Error') ? tag : `${tag}Error`)

/** There was no complete response: refused, reset, no such host. `cause` is what `fetch` threw. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** The `cause` of a `ConnectionError` where a proxy of the environment is the reason. Its message has no password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  /** Another attempt would end in the same way, as without the password that the proxy asks for. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown }) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}

/** The answer did not come within `timeoutMs`; whether the request was executed is unknown. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError'
  readonly timeoutMs: number

  constructor(operation: string, timeoutMs: number) {
    super(`${operation}: no response within ${Math.round(timeoutMs)} ms`)
    this.timeoutMs = timeoutMs
  }
}

/** A success by its status whose body is not JSON: cut off, or not from the API. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError'
  readonly status: number
  readonly requestId: string | null

  constructor(operation: string, { status, headers }: Answer) {
    super(
      `${operation}: the response with status ${status} is not JSON. Is baseUrl the versioned root of the API?`,
    )
    this.status = status
    this.requestId = headers.get('svc-request-id')
  }
}

/** A redirect is not followed; browsers show it as status 0. */
const sentenceOf = (status: number) =>
  status === 0 || (status >= 300 && status < 400)
    ? `HTTP ${status}: redirected. Set baseUrl to the final address of the API.`
    : `HTTP ${status}`

/** RFC 9110, section 10.2.3: seconds, or a date. */
function secondsUntil(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null) return undefined
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
