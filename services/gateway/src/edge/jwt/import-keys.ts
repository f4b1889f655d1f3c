/** Makes verifying keys of a JWK Set (RFC 7517), each with the one algorithm that it is used with. */
import { type CryptoKey, importJWK } from 'jose'
import { z } from 'zod'

/** Asymmetric signatures only, whose verifying keys can be public. */
export const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
] as const
export type Algorithm = (typeof algorithms)[number]

export interface PinnedKey {
  readonly alg: Algorithm
  readonly key: CryptoKey
}

export type Keys = ReadonlyMap<string, readonly PinnedKey[]>

const publicJwk = z.object({
  kty: z.enum(['EC', 'OKP', 'RSA']),
  kid: z.string().min(1),
  alg: z.string().optional(),
  use: z.literal('sig').optional(),
  key_ops: z
    .array(z.string())
    .refine(operations => operations.includes('verify'))
    .optional(),
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
  n: z.string().optional(),
  e: z.string().optional(),
  // A published private key proves nothing.
  d: z.undefined().optional(),
})
type PublicJwk = z.infer<typeof publicJwk>

const minRsaBits = 2048

/**
 * Imports keys that verify one of the `allowed` algorithms. Omits everything else: secrets, private keys, keys for
 * encryption, RSA below 2048 bits, keys without id.
 */
export async function importKeys(jwks: readonly unknown[], allowed: readonly Algorithm[]): Promise<Keys> {
  const keys = new Map<string, PinnedKey[]>()
  for (const candidate of jwks) {
    const { success, data: jwk } = publicJwk.safeParse(candidate)
    const alg = success ? allowed.find(each => fits(each, jwk)) : undefined
    const key = success && alg ? await importPublic(jwk, alg) : undefined
    if (!success || !alg || !key) continue
    keys.set(jwk.kid, [...(keys.get(jwk.kid) ?? []), { alg, key }])
  }
  return keys
}

const curves: Partial<Record<Algorithm, string>> = {
  ES256: 'P-256',
  ES384: 'P-384',
  ES512: 'P-521',
  EdDSA: 'Ed25519',
  Ed25519: 'Ed25519',
}

/** A key that names no algorithm is used with the first allowed one of its type. */
function fits(algorithm: Algorithm, { alg = algorithm, kty, crv }: PublicJwk): boolean {
  if (alg !== algorithm) return false
  const curve = curves[algorithm]
  if (!curve) return kty === 'RSA'
  return kty === (curve === 'Ed25519' ? 'OKP' : 'EC') && crv === curve
}

async function importPublic({ kty, crv, x, y, n, e }: PublicJwk, alg: Algorithm) {
  try {
    const key = await importJWK(kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }, alg)
    if (key instanceof Uint8Array) return undefined
    const { modulusLength = minRsaBits } = key.algorithm as { modulusLength?: number }
    return modulusLength >= minRsaBits ? key : undefined
  } catch {
    return undefined
  }
}
