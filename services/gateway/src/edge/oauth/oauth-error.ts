/** Refusals in OAuth's own format: RFC 6749, 5.2, with the codes that RFC 7009, 8628, 8693 and 8707 add. */
import type { ApiError } from '@svc/contract/core/errors'
import { refusalOf } from '../http/refusals.ts'

/** Sentences must not contain quotation marks or backslashes (RFC 6749, 5.2). */
const sentences = {
  invalid_request: 'The request is malformed.',
  invalid_client: 'There is no such client.',
  invalid_grant: 'The device code is unknown, was issued to another client, or was exchanged already.',
  unsupported_grant_type: 'This grant_type is not supported.',
  invalid_scope: 'The scope is malformed, names what is no permission, or is more than there is to give.',
  invalid_target: 'Tokens are issued for this server only.',
  unsupported_token_type: 'Tokens of this kind cannot be revoked here.',
  authorization_pending: 'The request has not been decided yet. Ask again after the interval.',
  slow_down: 'That was too soon. From now on, wait five seconds longer between requests.',
  access_denied: 'The request was denied.',
  expired_token: 'The device code has expired. Ask for a new one.',
  temporarily_unavailable: 'The service is temporarily unavailable. Try again later.',
  server_error: 'Something went wrong on our side. Quote the request id when you contact support.',
} as const

export type OauthErrorCode = keyof typeof sentences

export class OauthError extends Error {
  readonly code: OauthErrorCode
  readonly status: number
  readonly headers: Record<string, string>

  constructor(
    code: OauthErrorCode,
    description: string = sentences[code],
    { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(description)
    this.code = code
    this.status = status
    this.headers = headers
  }

  get body() {
    return { error: this.code, error_description: printable(this.message) }
  }
}

/**
 * 401 if the client tried to authenticate (RFC 6749, 5.2); each 401 names a scheme (RFC 9110, 15.5.2).
 *
 * @param authorization the request's header, whose scheme is repeated
 */
export function invalidClient(description?: string, authorization?: string): OauthError {
  const scheme = /^bearer\b/i.test(authorization ?? '') ? 'Bearer' : 'Basic'
  return new OauthError('invalid_client', description, {
    status: 401,
    headers: { 'WWW-Authenticate': `${scheme} realm="oauth"` },
  })
}

/** Maps any error of a request to OAuth's codes; undefined for a fault. */
export function oauthErrorOf(error: unknown): OauthError | undefined {
  if (error instanceof OauthError) return error
  const refused = refusalOf(error)
  if (!refused) return undefined
  if (refused.tag === 'Internal') return serverError()
  // RFC 6749 has no code for too many requests. `slow_down` concerns a code's own interval.
  if (refused.tag === 'RateLimited') return laterError(refused, 429)
  if (refused.status >= 500) return laterError(refused, 503)
  // Another content type counts as sending no parameters.
  if (refused.tag === 'UnsupportedMediaType') {
    return new OauthError(
      'invalid_request',
      'Send the parameters as application/x-www-form-urlencoded, in UTF-8.',
    )
  }
  const { status, headers } = refused
  return new OauthError('invalid_request', refused.message, { status, headers })
}

export const serverError = () => new OauthError('server_error', undefined, { status: 500 })

const laterError = ({ message, headers }: ApiError, status: number) =>
  new OauthError('temporarily_unavailable', status === 429 ? message : undefined, {
    status,
    headers: { 'Retry-After': headers['Retry-After'] ?? '1' },
  })

const printable = (text: string) => text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, '?')
