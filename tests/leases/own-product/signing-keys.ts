/** Keys that gateways read as those of auth-tokens. */
import type { Product } from '@svc/testing/stack/stack'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'

export interface SigningKey {
  readonly kid: string
  readonly key: KeyObject
}

/** Retired ones. */
export function newSigningKeys(sql: Product['sql'], count: number): Promise<SigningKey[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const jwk = await exportJWK(publicKey)
      const kid = await calculateJwkThumbprint(jwk)
      const published = { ...jwk, kid, alg: 'ES256', use: 'sig' } as unknown as Record<string, string>
      await sql`
        insert into auth_tokens.signing_keys (kid, state, public_jwk, private_jwk, created_at, retired_at)
        values (${kid}, 'retired', ${sql.json(published)}, '"sealed"', now(), now())`
      return { kid, key: privateKey }
    }),
  )
}
