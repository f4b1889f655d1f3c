import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { ciTrustPrincipal } from '../leases/principals.ts'

/** A trigger of the table ends its tokens, also one that a run gets while this waits for the row. */
export const deleteCiTrust: Handler<typeof authTokens.operations.delete_ci_trust, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, recall, eventWritten, call },
) => {
  const [deleted] = await sql`/* auth_tokens.delete_ci_trust */
    with deleted as (
      delete from ci_trusts where workspace_id = ${workspace} and id = ${id} returning id, workspace_id
    )
    ${intoOutbox(call.by)}
    id, 'events.ci_trusts.deleted', jsonb_build_object('workspace_id', workspace_id) from deleted
    returning aggregate_id`
  if (deleted) eventWritten()
  await recall(ciTrustPrincipal(workspace, id))
  if (!deleted) throw refusal('not_found', { path: ['id'] })
  return { body: undefined }
}
