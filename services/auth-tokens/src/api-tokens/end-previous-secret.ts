import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { apiTokenPrincipal } from '../leases/principals.ts'

/** The token is locked first, as a rotation does, which would retire another secret. */
export const endPreviousSecret: Handler<typeof authTokens.operations.end_previous_secret, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, recall, eventWritten, call },
) => {
  const [ended] = await sql`/* auth_tokens.end_previous_secret */
    with token as materialized (
      select id, workspace_id from api_tokens where workspace_id = ${workspace} and id = ${id} for update
    ), ended as (
      delete from retired_secrets r using token t where r.token_id = t.id
      returning t.id, t.workspace_id, r.expires_at
    )
    ${intoOutbox(call.by)}
    id, 'events.api_tokens.previous_secret_ended', jsonb_build_object('workspace_id', workspace_id)
    from ended where expires_at > to_timestamp(${Math.floor(now() / 1000)})
    returning aggregate_id`
  if (ended) eventWritten()
  await recall(apiTokenPrincipal(workspace, id))
  if (!ended) throw refusal('not_found', { path: ['id'] })
  return { body: undefined }
}
