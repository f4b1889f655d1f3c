/** One request of `svc api`, sent once: whether a repetition would do harm is not known of every path. */
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
 * Resolves to the body as it came.
 *
 * @throws ApiResponseError for every answer that is not a success; its body is what the JSON says, or else the text
 */
export async function sendRequest({ signal, options }: Cli, request: ApiRequest): Promise<string> {
  const { url, ...init } = request
  const name = `${request.method} ${url.pathname}`
  const timeoutMs = options.timeout ?? 30_000
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    // A redirect is not followed: the credential would go with it.
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
