/** RFC 8628, the client's side: a code for the person, and polling until they have decided. */
import { ConnectionError, DeadlineExceededError } from '@svc/client'
import { wholeAccount } from '@svc/contract/core/permissions'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes, Failure } from '../failure.ts'
import { oauthRequest } from './oauth-request.ts'
import { OauthRequestError } from './oauth-request-error.ts'

export interface Grant {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string | undefined
  readonly expires_in: number
  readonly interval: number
}

const slowerBy = 5
const slowest = 60

/** What is asked for: all that the person may, unless it says less. */
export type Asked = Readonly<Partial<Record<'scope' | 'workspace_id' | 'expires_in', string>>>

/** What was granted may be less. */
export interface Granted {
  readonly access_token: string
  readonly scope: string
  readonly workspace_id: string | undefined
  /** Seconds. */
  readonly expires_in: number | undefined
}

export async function startGrant(baseUrl: string, asked: Asked, signal: AbortSignal): Promise<Grant> {
  const body = await oauthRequest(baseUrl, '/oauth/device_authorization', asked, signal)
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } = body
  if (
    typeof device_code !== 'string' ||
    typeof user_code !== 'string' ||
    typeof verification_uri !== 'string' ||
    typeof expires_in !== 'number'
  ) {
    throw new Failure(
      exitCodes.failed,
      `${baseUrl} does not support the device grant (RFC 8628). Is it the address of the API?`,
    )
  }
  return {
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete:
      typeof verification_uri_complete === 'string' ? verification_uri_complete : undefined,
    expires_in,
    // Section 3.2: five by default.
    interval: typeof interval === 'number' ? interval : 5,
  }
}

/**
 * Section 3.4 and 3.5: waits before every request, five seconds longer after each `slow_down`, and twice as long
 * after each request without an answer.
 *
 * @throws OauthRequestError `access_denied`, and any other final error
 */
export async function pollGrant(baseUrl: string, grant: Grant, signal: AbortSignal): Promise<Granted> {
  const endsAt = Date.now() + grant.expires_in * 1000
  let { interval } = grant
  for (;;) {
    await sleep(interval * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    if (Date.now() > endsAt) throw expired()
    try {
      return await pollOnce(baseUrl, grant, signal)
    } catch (error) {
      interval = nextInterval(error, interval)
    }
  }
}

async function pollOnce(baseUrl: string, { device_code }: Grant, signal: AbortSignal): Promise<Granted> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const form = { grant_type, device_code }
  const { access_token, scope, workspace_id, expires_in } = await oauthRequest(
    baseUrl,
    '/oauth/token',
    form,
    signal,
  )
  if (typeof access_token !== 'string') throw new Failure(exitCodes.failed, 'The answer has no access_token.')
  return {
    access_token,
    scope: typeof scope === 'string' ? scope : wholeAccount,
    workspace_id: typeof workspace_id === 'string' ? workspace_id : undefined,
    expires_in: typeof expires_in === 'number' ? expires_in : undefined,
  }
}

/** @throws the error, if it ends the polling */
function nextInterval(error: unknown, interval: number): number {
  if (error instanceof ConnectionError || error instanceof DeadlineExceededError) {
    return Math.min(slowest, Math.max(1, interval) * 2)
  }
  if (!(error instanceof OauthRequestError)) throw error
  if (error.code === 'authorization_pending') return interval
  if (error.code === 'slow_down') return interval + slowerBy
  if (error.code === 'expired_token') throw expired()
  if (error.status === 429 || error.status >= 500)
    return Math.max(interval, Math.min(slowest, error.retryAfter ?? 0))
  throw error
}

const expired = () =>
  new Failure(exitCodes.unavailable, 'The code expired before it was approved. Run svc login again.')
