import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import { createApiToken as createSecret, hashCredential } from '@svc/runtime/credential'
import type { Deps } from './deps.ts'

interface Rotated {
  name: string
  expires_at: number | null
  previous_expires_at: number | null
}

/**
 * The row is locked and read as it is then, so that of rotations at once each retires the secret of the one before it.
 * A token has one retired secret at most: those in an earlier period of grace are dead when the reply is sent, and without
 * grace the last one is, too. A token that has expired is not brought back.
 */
export const rotateApiToken: Handler<typeof authTokens.operations.rotate_api_token, Deps> = async (
  { params: { id }, body },
  caller,
  { sql, now, eventWritten },
) => {
  const at = Math.floor(now() / 1000)
  const grace = body?.grace_seconds ?? 0
  const secret = createSecret()
  const [rotated] = await sql<Rotated>`
    with current as materialized (
      select id, hash, least(expires_at, to_timestamp(${at + grace})) as previous_expires_at
      from api_tokens
      where workspace_id = ${caller.workspace} and id = ${id}
        and (expires_at is null or expires_at > to_timestamp(${at}))
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
      returning t.id, t.workspace_id, t.name, t.expires_at, current.previous_expires_at
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.api_tokens.rotated', jsonb_build_object(
        'workspace_id', workspace_id,
        'previous_expires_at', case when ${grace}::int > 0 then floor(extract(epoch from previous_expires_at))::bigint end
      )
      from rotated
    )
    select name, floor(extract(epoch from rotated.expires_at))::bigint as expires_at,
      (select floor(extract(epoch from expires_at))::bigint from retired) as previous_expires_at
    from rotated cross join ended`
  if (!rotated) throw refusal('not_found', { path: ['id'] })
  const { name, expires_at, previous_expires_at } = rotated
  eventWritten()
  return {
    body: {
      id,
      name,
      token: secret,
      ...(expires_at !== null && { expires_at }),
      ...(previous_expires_at !== null && { previous_expires_at }),
    },
  }
}
