import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ScopedCaller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { createApiToken as createSecret, hashCredential } from '@svc/runtime/credential'
import type { Sql } from '@svc/runtime/database'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { apiTokenPrincipal } from '../leases/principals.ts'
import { mayNoMoreThan, narrowedBy, outlives, refuseOutliving, refuseToGrant } from './narrowing.ts'

interface Rotated {
  name: string
  can: string | null
  allowed_addresses: string[] | null
  expires_at: number | null
  previous_expires_at: number | null
}

/**
 * The row is locked and re-read, so that concurrent rotations each retire the secret of the one before. A token has
 * at most one retired secret: earlier ones are invalid when the reply is sent, and without a grace period so is the
 * last one. An expired token stays expired.
 */
export const rotateApiToken: Handler<typeof authTokens.operations.rotate_api_token, Deps> = async (
  { params: { id }, body },
  caller,
  { sql, now, recall, eventWritten, call },
) => {
  const at = Math.floor(now() / 1000)
  const grace = body?.grace_seconds ?? 0
  const secret = createSecret()
  const [rotated] = await sql<Rotated>`/* auth_tokens.rotate_api_token */
    with current as materialized (
      select id, hash, least(expires_at, to_timestamp(${at + grace})) as previous_expires_at
      from api_tokens
      where workspace_id = ${caller.workspace} and id = ${id} and ci_trust_id is null
        and (expires_at is null or expires_at > to_timestamp(${at}))
        and ${mayNoMoreThan(caller)} and not ${outlives(caller)}
      for update
    ), ended as materialized (
      select count(end_retired_secrets(id)) from current
    ), retired as (
      insert into retired_secrets (hash, token_id, expires_at)
      select hash, id, previous_expires_at from current cross join ended where ${grace}::int > 0
      returning expires_at
    ), rotated as (
      update api_tokens t set hash = decode(${hashCredential(secret)}, 'hex'), hint = ${secret.slice(-4)}
      from current where t.id = current.id
      returning t.id, t.workspace_id, t.name, t.expires_at, t.can, t.allowed_addresses, current.previous_expires_at
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.api_tokens.rotated', jsonb_build_object(
        'workspace_id', workspace_id,
        'previous_expires_at', case when ${grace}::int > 0 then unix_seconds(previous_expires_at) end
      )
      from rotated
    )
    select name, can, to_jsonb(allowed_addresses) as allowed_addresses, unix_seconds(rotated.expires_at) as expires_at,
      (select unix_seconds(expires_at) from retired) as previous_expires_at
    from rotated cross join ended`
  if (rotated) eventWritten()
  await recall(apiTokenPrincipal(caller.workspace, id))
  if (!rotated) throw await refusalFor(sql, caller, id)
  const { name, expires_at, previous_expires_at } = rotated
  return {
    body: {
      id,
      name,
      token: secret,
      ...narrowedBy(rotated),
      ...(expires_at !== null && { expires_at }),
      ...(previous_expires_at !== null && { previous_expires_at }),
    },
  }
}

/** A restricted credential gets no secret that may do more than itself, or longer. */
async function refusalFor(sql: Sql, caller: ScopedCaller, id: string) {
  const [token] = await sql<{
    can: string | null
    expires_at: number | null
  }>`/* auth_tokens.find_permissions */
    select can, unix_seconds(expires_at) as expires_at from api_tokens where workspace_id = ${caller.workspace} and id = ${id}`
  if (token) refuseToGrant(caller, token.can)
  if (token) refuseOutliving(caller, token.expires_at ?? undefined)
  return refusal('not_found', { path: ['id'] })
}
