/** One request of `svc api`, sent once: a repetition could do harm at some paths. */
import {
  ApiResponseError,
  ConnectionError,
  connectionReason,
  DeadlineExceededError,
  environmentFetch,
} from '@svc/client'
import type { Cli } from '../cli.ts'

export interface ApiRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
}

/**
 * Resolves to the original body.
 *
 * @throws ApiResponseError for every unsuccessful answer; its body is parsed JSON, or text
 */
export async function sendRequest({ signal, options }: Cli, request: ApiRequest): Promise<string> {
  const { url, ...init } = request
  const name = `${request.method} ${url.pathname}`
  const timeoutMs = options.timeout ?? 30_000
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    // Redirects are not followed, because the credential would go along.
    const response = await environmentFetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    const text = await response.text()
    if (!response.ok) throw new ApiResponseError(response, jsonOrText(text))
    return text
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ApiResponseError) throw error
    if (timeout.aborted) throw new DeadlineExceededError(name, timeoutMs)
    throw new ConnectionError(`Could not connect (${connectionReason(error)}): ${name}`, { cause: error })
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
