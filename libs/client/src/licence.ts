/** Verifies licences of installs by WebCrypto alone, without a network: the guide “Licences”. */
export interface VerifyLicenceOptions {
  /** The JWK Set of `GET /workspaces/{id}/licence_keys`. */
  readonly keys: { readonly keys: readonly object[] }
  readonly issuer: string
  readonly audience: string
  /** Unix milliseconds. */
  readonly now?: number
}
export type LicenceFailure = `wrong_${'type' | 'signature' | 'issuer' | 'audience'}` | OtherFailure
type OtherFailure = 'malformed' | 'unknown_key' | 'expired'
export type Licence = Readonly<Record<string, unknown>>
export type VerifiedLicence =
  | { licence: Licence; reason?: never }
  | { licence?: never; reason: LicenceFailure }

const bytesOf = (part: string) =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
const objectIn = (part: string) => Object(JSON.parse(new TextDecoder().decode(bytesOf(part))))

/** Resolves to what the licence says, or to the first reason why it does not count. */
export async function verifyLicence(
  text: string,
  { keys, issuer, audience, now = Date.now() }: VerifyLicenceOptions,
): Promise<VerifiedLicence> {
  const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(text) ?? []
  try {
    const { alg, typ, kid, crit } = objectIn(head)
    if (alg !== 'ES256' || typ !== 'licence+jwt' || crit !== undefined) return { reason: 'wrong_type' }
    const found: JsonWebKey | undefined = keys.keys.find(key => 'kid' in key && key.kid === kid)
    if (found?.kty !== 'EC' || found.crv !== 'P-256') return { reason: 'unknown_key' }
    const { kty, crv, x = '', y = '' } = found
    const curve = { name: 'ECDSA', namedCurve: crv, hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, curve, false, ['verify'])
    const signed = new TextEncoder().encode(`${head}.${body}`)
    const isSigned = await crypto.subtle.verify(curve, key, bytesOf(signature), signed)
    if (!isSigned) return { reason: 'wrong_signature' }
    const licence = objectIn(body)
    if (licence.iss !== issuer) return { reason: 'wrong_issuer' }
    if (licence.aud !== audience) return { reason: 'wrong_audience' }
    return typeof licence.exp === 'number' && licence.exp * 1000 > now ? { licence } : { reason: 'expired' }
  } catch {
    return { reason: 'malformed' }
  }
}
