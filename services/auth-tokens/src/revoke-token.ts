import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** RFC 7009, 2.1: a client may end what was issued to it; who names no client shows the token itself. */
export const revokeToken: Handler<typeof authTokens.operations.revoke_token, Deps> = async (
  { body: { hash, client_id } },
  _caller,
  { sql },
) => {
  const [outcome] = await sql<{ known: boolean; ended: boolean }>`
    with known as (
      select id, client_id from sessions where hash = decode(${hash}, 'hex')
    ), ended as (
      delete from sessions s using known
      where s.id = known.id and (${client_id ?? null}::text is null or known.client_id = ${client_id ?? null})
      returning s.id
    )
    select exists (select from known) as known, exists (select from ended) as ended`
  if (outcome?.ended) return { body: { outcome: 'ended' } }
  return { body: { outcome: outcome?.known ? 'other_client' : 'unknown' } }
}
