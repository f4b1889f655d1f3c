/** The claims and header of a JWT, read before any cryptography: most bad tokens are refused here. */
import { repeatedKey } from '@svc/bus/object-keys'

export interface UnverifiedToken {
  readonly alg: string
  readonly kid: string
  readonly issuer: string
}

export const maxTokenLength = 8192
const maxHeaderLength = 2048
const maxKidLength = 256

/**
 * Reads header and issuer of a token in three parts.
 *
 * @returns undefined for tokens that no issuer creates: parts that are not canonical base64url (RFC 7515, appendix
 * C), repeated names (RFC 7515, 4; RFC 7519, 4), critical extensions (RFC 7515, 4.1.11), no algorithm, key id or
 * issuer
 */
export function readToken(token: string): UnverifiedToken | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || header.length > maxHeaderLength) return undefined
  const { alg, kid, crit } = readObject(header) ?? {}
  if (typeof alg !== 'string' || typeof kid !== 'string' || crit !== undefined) return undefined
  if (kid === '' || kid.length > maxKidLength) return undefined
  const { iss } = readObject(payload) ?? {}
  if (typeof iss !== 'string' || !decode(signature)) return undefined
  return { alg, kid, issuer: iss }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readObject(part: string): Record<string, unknown> | undefined {
  try {
    const text = utf8.decode(decode(part))
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return repeatedKey(text) ? undefined : (value as Record<string, unknown>)
  } catch {
    return undefined
  }
}

/** Undefined if the text is not canonical: each token must have only one text. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : undefined
}
