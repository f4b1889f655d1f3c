import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { type Count, resealer, type SealedRow } from '@svc/runtime/reseal'
import { sealedWith } from '@svc/runtime/seal'
import type { JWK } from 'jose'
import type { Deps } from '../deps.ts'
import { sealTotp, unsealTotp } from '../factors/totp.ts'
import { keyContext, openPrivateKey } from './signing-keys.ts'

interface Row extends SealedRow {
  readonly sealed: string | JWK
}

export const reseal: Handler<typeof authTokens.operations.reseal, Deps> = resealer<Row, Deps>({
  signing_keys: {
    read: (sql, after, limit) => sql<Row>`/* auth_tokens.list_sealed_keys */
      select kid as id, private_jwk as sealed from signing_keys where kid > ${after} order by kid limit ${limit}`,
    again: ({ id, sealed }, { seal }) =>
      typeof sealed === 'string' && sealedWith(sealed) === seal.keyId
        ? sealed
        : seal.seal(JSON.stringify(openPrivateKey(seal, id, sealed)), keyContext(id)),
    write: (sql, g, count) => sql<Count>`/* auth_tokens.reseal_keys */
      with written as (
        update signing_keys k set private_jwk = g.after from ${g}
        where k.kid = g.id and k.private_jwk = g.before
        returning 1
      ), ${count}`,
  },
  totp_factors: {
    read: (sql, after, limit) => sql<Row>`/* auth_tokens.list_sealed_totp */
      select user_id as id, sealed from totp_factors where user_id > ${after} order by user_id limit ${limit}`,
    again: ({ id, sealed }, { seal }) =>
      sealedWith(String(sealed)) === seal.keyId
        ? sealed
        : sealTotp(id, unsealTotp(id, String(sealed), seal), seal),
    write: (sql, g, count) => sql<Count>`/* auth_tokens.reseal_totp */
      with written as (
        update totp_factors t set sealed = g.after #>> '{}' from ${g}
        where t.user_id = g.id and t.sealed = g.before #>> '{}'
        returning 1
      ), ${count}`,
  },
})
