import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

/** A repetition queues nothing, even long after the messages were sent. */
export const requestWebhookMail: Handler<typeof authTokens.operations.request_webhook_mail, Deps> = async (
  { body: { key, kind, host, since } },
  { workspace },
  { sql, now, messageQueued },
) => {
  const at = now() / 1000
  await sql`/* auth_tokens.request_webhook_mail */
    with requested as (
      insert into requested_mail (key, created_at) values (${key}, to_timestamp(${at})) on conflict do nothing returning key
    )
    insert into messages (id, kind, email, workspace_id, details, created_at, next_at)
    select 'msg_' || md5(r.key || u.id), 'webhook', u.email, m.workspace_id, ${JSON.stringify({ kind, host, since })}::text::json,
      to_timestamp(${at}), to_timestamp(${at})
    from requested r
    join memberships m on m.workspace_id = ${workspace} and m.role in ('owner', 'admin')
    join users u on u.id = m.user_id and u.verified_at is not null`
  messageQueued()
  return { body: undefined }
}
