/** Requests to OAuth's endpoints: forms instead of JSON, and errors in OAuth's format (RFC 6749, 5.2). */
import { ConnectionError, connectionReason, DeadlineExceededError, environmentFetch } from '@svc/client'
import { hostname } from 'node:os'
import { rootOf } from '../base-url.ts'
import { OauthRequestError } from './oauth-request-error.ts'
import { version } from '../version.ts'

export const clientId = 'svc-cli'

const timeoutMs = 10_000

/** Shown to the person before they approve: the host identifies their machine. */
const userAgent = `svc/${version} (${process.platform}; ${hostname().replace(/[^\w.-]/g, '?')})`

/**
 * Sends a form once, and returns the body.
 *
 * @throws OauthRequestError for every unsuccessful answer
 * @throws ConnectionError, DeadlineExceededError if there was none
 */
export async function oauthRequest(
  baseUrl: string,
  path: string,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await environmentFetch(rootOf(baseUrl) + path, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...form }),
      headers: { accept: 'application/json', 'user-agent': userAgent },
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    })
    const body = parse(await response.text())
    if (!response.ok) throw new OauthRequestError(path, response, body)
    return body
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OauthRequestError) throw error
    if (late.aborted) throw new DeadlineExceededError(`POST ${path}`, timeoutMs)
    throw new ConnectionError(`Could not connect (${connectionReason(error)}): POST ${path}`, {
      cause: error,
    })
  }
}

/** A revocation has an empty answer. */
function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
