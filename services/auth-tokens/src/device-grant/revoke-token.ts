import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import type { Attribution } from '@svc/contract/core/actor'
import { byJson, manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { endedEvent } from '../sessions/session-events.ts'
import { credentialPrincipal, sessionPrincipal } from '../leases/principals.ts'

/**
 * RFC 7009, 2.1: a client may end the tokens issued to it; without a client id, holding the token is enough. If two
 * end the same session at the same time, both succeed.
 */
export const revokeToken: Handler<typeof authTokens.operations.revoke_token, Deps> = async (
  { body: { hash, client_id = null } },
  _caller,
  { sql, recall, eventWritten, call },
) => {
  const [outcome] = await sql<{
    client_known: boolean
    known: boolean
    own: boolean
    ended: string | null
  }>`/* auth_tokens.revoke_token */
    with client as (
      select ${client_id}::text is null or exists (select from oauth_clients where id = ${client_id}) as known
    ), shown as (
      select s.id, u.email, ${client_id}::text is null or s.client_id is not distinct from ${client_id} as own
      from client, sessions s join users u on u.id = s.user_id where s.hash = decode(${hash}, 'hex') and client.known
    ), ended as (
      delete from sessions s using shown where s.id = shown.id and shown.own returning s.id, s.user_id, shown.email
    ), event as (
      ${manyIntoOutbox(byHolder(call.by))} ${endedEvent}
      from ended
    )
    select client.known as client_known, shown.id is not null as known, coalesce(shown.own, false) as own,
      case when shown.own then shown.id end as ended
    from client left join shown on true`
  if (outcome?.ended) eventWritten()
  await recall(credentialPrincipal(hash), ...(outcome?.ended ? [sessionPrincipal(outcome.ended)] : []))
  if (!outcome?.client_known) return { body: { outcome: 'invalid_client' } }
  if (!outcome.known) return { body: { outcome: 'unknown' } }
  return { body: { outcome: outcome.own ? 'ended' : 'other_client' } }
}

const byHolder = (by: Attribution) => fragment`by_person(${byJson(by)}, user_id, email, id)`
