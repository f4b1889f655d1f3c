import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { sealedWith } from '@svc/runtime/seal'
import type { JWK } from 'jose'
import type { Deps } from '../deps.ts'
import { openPrivateKey, keyContext } from './signing-keys.ts'

interface Row {
  kid: string
  private_jwk: string | JWK
}

/** The few signing keys, in one call. */
export const reseal: Handler<typeof authTokens.operations.reseal, Deps> = async (
  _input,
  _caller,
  { sql, seal },
) => {
  const rows =
    await sql<Row>`/* auth_tokens.list_sealed_keys */ select kid, private_jwk from signing_keys where kid > '' order by kid`
  const stale = rows.filter(
    ({ private_jwk }) => typeof private_jwk !== 'string' || sealedWith(private_jwk) !== seal.keyId,
  )
  for (const { kid, private_jwk } of stale) {
    const text = JSON.stringify(openPrivateKey(seal, kid, private_jwk))
    await sql`/* auth_tokens.reseal_key */
      update signing_keys set private_jwk = ${sql.json(seal.seal(text, keyContext(kid)))} where kid = ${kid}`
  }
  return { body: { resealed: stale.length, next: null } }
}
