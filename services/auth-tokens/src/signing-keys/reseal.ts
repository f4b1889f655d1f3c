import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { countResealed } from '@svc/runtime/outbox/resealed'
import { sealedWith } from '@svc/runtime/seal'
import type { JWK } from 'jose'
import type { Deps } from '../deps.ts'
import { openPrivateKey, keyContext } from './signing-keys.ts'

interface Row {
  kid: string
  private_jwk: string | JWK
}

export const reseal: Handler<typeof authTokens.operations.reseal, Deps> = async (
  _input,
  _caller,
  { sql, seal, call, eventWritten },
) => {
  const rows =
    await sql<Row>`/* auth_tokens.list_sealed_keys */ select kid, private_jwk from signing_keys where kid > '' order by kid`
  const stale = rows.filter(
    ({ private_jwk }) => typeof private_jwk !== 'string' || sealedWith(private_jwk) !== seal.keyId,
  )
  if (stale.length === 0) return { body: { resealed: 0, next: null } }
  const sealed = stale.map(({ kid, private_jwk }) => ({
    kid,
    private_jwk: seal.seal(JSON.stringify(openPrivateKey(seal, kid, private_jwk)), keyContext(kid)),
  }))
  const [total] = await sql<{ count: number }>`/* auth_tokens.reseal_keys */
    with written as (
      update signing_keys k set private_jwk = g.private_jwk
      from jsonb_to_recordset(${sql.json(sealed)}) as g (kid text, private_jwk jsonb) where k.kid = g.kid
      returning 1
    ), ${countResealed(call.by, 'signing_keys')}`
  eventWritten()
  return { body: { resealed: total?.count ?? 0, next: null } }
}
