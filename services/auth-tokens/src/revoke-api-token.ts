import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** The row is gone when the reply is sent, and every look-up reads the table: from then on the token is dead. */
export const revokeApiToken: Handler<typeof authTokens.operations.revoke_api_token, Deps> = async (
  { params },
  caller,
  { sql, eventWritten },
) => {
  const [deleted] = await sql`
    with deleted as (
      delete from api_tokens where workspace_id = ${caller.workspace} and id = ${params.id}
      returning id, workspace_id
    )
    insert into outbox (aggregate_id, subject, payload)
    select id, 'events.api_tokens.revoked', jsonb_build_object('workspace_id', workspace_id) from deleted
    returning aggregate_id`
  if (!deleted) throw refusal('not_found', { path: ['id'] })
  eventWritten()
  return { body: undefined }
}
