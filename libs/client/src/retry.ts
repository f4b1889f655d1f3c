/** Whether a failed call is repeated, and after how long. */
import { codes, type Tag, tags } from '@svc/contract/core/error-codes'
import type { Operation } from '@svc/contract/core/operation'
import {
  ApiResponseError,
  ConnectionError,
  DeadlineExceededError,
  InvalidResponseError,
  ProxyError,
} from './errors.ts'

export interface Failure {
  readonly error: unknown
  /** Attempts made so far. */
  readonly attempt: number
  /** Whether it is safe to execute twice: see {@link isRepeatable}. */
  readonly repeatable: boolean
}

const backoffMs = { first: 200, most: 5_000 }

/**
 * Milliseconds to wait before the next attempt, or undefined where there should be none: exponential backoff with full
 * jitter, on top of the time that `Retry-After` asks for.
 */
export function retryDelay(
  { error, attempt, repeatable }: Failure,
  random: () => number,
): number | undefined {
  if (!isWorthwhile(error, repeatable)) return undefined
  const asked = error instanceof ApiResponseError ? (error.retryAfter ?? 0) * 1000 : 0
  // Jitter on top of Retry-After, too: all clients refused together got the same second.
  return asked + random() * Math.min(backoffMs.most, backoffMs.first * 2 ** (attempt - 1))
}

/**
 * Whether a retry is safe when it is unknown if the request was executed: the contract says so, the key finds
 * the first execution, or the etag no longer matches after it (a change that is in force already is answered
 * with success).
 */
export function isRepeatable({ http, safe = false }: Operation, headers: Headers): boolean {
  return safe || http?.method === 'GET' || headers.has('idempotency-key') || headers.has('if-match')
}

function isWorthwhile(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof ApiResponseError)) return repeatable && isWithoutAnswer(error)
  if (isRefusalForNow(error)) return true
  // The API's own 504, and what a proxy says that got no answer from it.
  return repeatable && [502, 503, 504].includes(error.status)
}

const isWithoutAnswer = (error: unknown) =>
  (error instanceof ConnectionError && !(error.cause instanceof ProxyError && error.cause.isFinal)) ||
  error instanceof DeadlineExceededError ||
  error instanceof InvalidResponseError

/** Nothing was executed, or the contract says that it is safe to repeat. A proxy's 503 promises neither. */
function isRefusalForNow({ status, tag, retryAfter, errors }: ApiResponseError): boolean {
  if (status === 503) return Object.hasOwn(tags, tag ?? '') && tags[tag as Tag].status === 503
  if (status === 429) return retryAfter !== undefined
  // An earlier attempt with this key, given up by this client or cut off, is still in progress.
  return status === 409 && errors.some(({ code }) => code === codes.key_in_flight[0])
}
