/**
 * The keys that sign JWTs. One is published for a while before it signs (`next`), one signs (`active`), and earlier
 * ones are published as long as JWTs that they signed may live (`retired`).
 */
import { jwtLifetimeSeconds } from '@svc/contract/auth-tokens/signing-keys'
import type { Sql } from '@svc/runtime/database'
import type { Seal } from '@svc/runtime/seal'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

export const signingAlgorithm = 'ES256'

/** Until gateways (every 15 s) and readers of the JWKS over HTTP (`max-age` of 60 s) know a new key. */
export const nextKeyKnownForSeconds = 120

/** Longer than the life of a JWT, by the tolerance, clock differences and an exchange in progress. */
export const retiredForSeconds = jwtLifetimeSeconds + 300

export interface SigningKey {
  readonly kid: string
  readonly public_jwk: JWK
  readonly private_jwk: string
}

/** Binds a sealed private key to its row. */
export const keyContext = (kid: string): string => `signing_keys ${kid}`

/** Keys from before sealing are stored in plain text. */
export const openPrivateKey = (seal: Seal, kid: string, key: string | JWK): JWK =>
  typeof key === 'string' ? JSON.parse(seal.unseal(key, keyContext(kid))) : key

/** A new pair. Its id is its thumbprint (RFC 7638), so that no two keys ever share one. */
export async function newSigningKey({ seal }: Seal): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return {
    kid,
    public_jwk: { ...jwk, kid, alg: signingAlgorithm, use: 'sig' },
    private_jwk: seal(JSON.stringify(await exportJWK(privateKey)), keyContext(kid)),
  }
}

/**
 * Creates the first keys if there are none. Replicas that start together may all try; a unique index admits one key per state.
 *
 * @param seconds now, in Unix seconds
 */
export async function ensureSigningKeys(sql: Sql, seal: Seal, seconds: number): Promise<void> {
  // Most starts find them, and write nothing.
  const present =
    await sql`/* auth_tokens.find_signing_keys */ select state from signing_keys where state in ('next', 'active')`
  if (present.length === 2) return
  const [active, next] = await Promise.all([newSigningKey(seal), newSigningKey(seal)])
  await sql`/* auth_tokens.insert_signing_keys */
    insert into signing_keys (kid, state, public_jwk, private_jwk, created_at)
    values
      (${active.kid}, 'active', ${sql.json(active.public_jwk)}, ${sql.json(active.private_jwk)}, to_timestamp(${seconds})),
      (${next.kid}, 'next', ${sql.json(next.public_jwk)}, ${sql.json(next.private_jwk)}, to_timestamp(${seconds}))
    on conflict do nothing`
}
