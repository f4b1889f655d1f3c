import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { apiTokenPrincipal } from '../leases/principals.ts'

/** The row is deleted and the token recalled before the reply is sent: it is refused from then on. */
export const revokeApiToken: Handler<typeof authTokens.operations.revoke_api_token, Deps> = async (
  { params },
  caller,
  { sql, recall, eventWritten, call },
) => {
  const [deleted] = await sql`/* auth_tokens.revoke_api_token */
    with deleted as (
      delete from api_tokens where workspace_id = ${caller.workspace} and id = ${params.id}
      returning id, workspace_id
    )
    ${intoOutbox(call.by)}
    id, 'events.api_tokens.revoked', jsonb_build_object('workspace_id', workspace_id) from deleted
    returning aggregate_id`
  if (deleted) eventWritten()
  await recall(apiTokenPrincipal(caller.workspace, params.id))
  if (!deleted) throw refusal('not_found', { path: ['id'] })
  return { body: undefined }
}
