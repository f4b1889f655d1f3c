import type { Seal } from '@svc/runtime/seal'
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { openPrivateKey, signingAlgorithm } from './signing-keys.ts'

export interface SignedWith {
  readonly kid: string
  readonly private_jwk: string | JWK
}

export type SignJwt = (claims: JWTPayload, key: SignedWith) => Promise<string>

export function createSignJwt(seal: Seal): SignJwt {
  // The signing key, imported once until a rotation replaces it.
  let imported: { kid: string; key: ReturnType<typeof importJWK> } | undefined
  return async (claims, { kid, private_jwk }) => {
    if (imported?.kid !== kid)
      imported = { kid, key: importJWK(openPrivateKey(seal, kid, private_jwk), signingAlgorithm) }
    const { key } = imported
    return new SignJWT(claims)
      .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid })
      .sign(await key)
  }
}
