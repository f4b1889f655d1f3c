import { environmentFetch } from '@svc/client'
import { rootOf } from './base-url.ts'
import type { CommandLine } from './surroundings.ts'

const timeoutMs = 5_000
/** Ours is shorter than 1 KB. */
const maxBytes = 65_536

/**
 * The API's issuer (RFC 8414), without a trailing slash, or the root of the base URL if there is no usable one.
 *
 * @throws the reason of `signal`
 */
export async function publicUrlOf({ signal }: Pick<CommandLine, 'signal'>, baseUrl: string): Promise<string> {
  const root = rootOf(baseUrl)
  try {
    const response = await environmentFetch(`${root}/.well-known/oauth-authorization-server`, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    return issuerIn(JSON.parse(await textOf(response))) ?? root
  } catch {
    signal.throwIfAborted()
    return root
  }
}

export async function offerLinks(cli: CommandLine, baseUrl: string) {
  const root = await publicUrlOf(cli, baseUrl)
  return ({ short_hash }: { readonly short_hash: string }) => offerPage(root, short_hash)
}

export const offerPage = (root: string, hash: string): string => `${root}/i/${encodeURIComponent(hash)}`
export const consolePage = (root: string, workspace?: string): string =>
  workspace === undefined ? `${root}/console` : `${root}/console/${encodeURIComponent(workspace)}`
export const orderPage = (root: string, id: string): string => `${root}/orders/${encodeURIComponent(id)}`

/** @throws if it is too long */
async function textOf({ body, ok }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let left = ok ? maxBytes : 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    left -= chunk.byteLength
    if (left < 0) throw new RangeError('too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function issuerIn(metadata: { readonly issuer?: unknown }): string | undefined {
  const { issuer } = metadata
  if (typeof issuer !== 'string' || !/^https?:\/\/[\x21-\x7e]+$/.test(issuer)) return undefined
  const { username, password, search, hash, origin, pathname } = new URL(issuer)
  if (username || password || search || hash) return undefined
  return origin + pathname.replace(/\/+$/, '')
}
