/** Reads a JWK Set over HTTP from an issuer that the operator trusts; the response itself is not trusted. */
import { z } from 'zod'

const timeoutMs = 2000
const maxBytes = 64 * 1024

const jwkSet = z.object({ keys: z.array(z.unknown()) })

/** @throws Error when the set cannot be read within two seconds, by one request, in 64 KB */
export async function fetchKeys(url: string): Promise<readonly unknown[]> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(error => {
    // Only the cause says what went wrong.
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    throw new Error(`The JWK Set cannot be read: ${cause?.code ?? cause?.message ?? message}`)
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The JWK Set was answered with status ${response.status}.`)
  }
  const { success, data } = jwkSet.safeParse(JSON.parse(await readBounded(response)))
  if (!success) throw new Error('The answer is not a JWK Set.')
  return data.keys
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the rest.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`The JWK Set is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
