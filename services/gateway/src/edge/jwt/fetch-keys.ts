/** Reads a JWK Set over HTTP from an issuer that the operator trusts; the response itself is not trusted. */
import { scaled } from '@svc/contract/core/deadline-scale'
import type { Log } from '@svc/runtime/log'
import { z } from 'zod'
import { createKeySet, type KeySet, type KeySetOptions } from './key-set.ts'

const maxBytes = 64 * 1024

const jwkSet = z.object({ keys: z.array(z.unknown()) })

interface FetchedOptions extends Pick<KeySetOptions, 'algorithms' | 'onDemand' | 'now'> {
  readonly log: Log
}

export const fetchedKeySet = (
  { issuer, jwks_uri }: { readonly issuer: string; readonly jwks_uri: string },
  { log, ...options }: FetchedOptions,
): KeySet =>
  createKeySet({
    load: () => fetchKeys(jwks_uri),
    everyMs: 300_000,
    retryMs: 30_000,
    log: log.child({ issuer }),
    ...options,
  })

/** @throws Error if the set cannot be read in that time, two seconds by default, with one request, in 64 KB */
export async function fetchKeys(url: string, timeoutMs = scaled(2000)): Promise<readonly unknown[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal,
  }).catch(error => {
    // Only the cause describes the problem.
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    throw new Error(`The JWK Set cannot be read: ${cause?.code ?? cause?.message ?? message}`)
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The JWK Set was answered with status ${response.status}.`)
  }
  const { success, data } = jwkSet.safeParse(JSON.parse(await readBounded(response, signal)))
  if (!success) throw new Error('The answer is not a JWK Set.')
  return data.keys
}

/** Fetch may lose the signal once the headers are there: it keeps only weak references to its listeners. */
async function readBounded({ body }: Response, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader()
  const cancel = () => void reader?.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes += part.value.byteLength
      if (bytes > maxBytes) throw new Error(`The JWK Set is larger than ${maxBytes} bytes.`)
      chunks.push(part.value)
    }
    signal.throwIfAborted()
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
