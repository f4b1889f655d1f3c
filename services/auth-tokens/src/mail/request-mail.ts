import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { mailGroups } from '@svc/contract/auth-tokens/mail'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { queueNotice } from './queue-notice.ts'

/** A repetition queues nothing, even long after the messages were sent. */
export const requestMail: Handler<typeof authTokens.operations.request_mail, Deps> = async (
  { body: { mails } },
  _caller,
  { sql, now, messageQueued },
) => {
  await sql`/* auth_tokens.request_mail */
    select ${queueNotice({
      key: fragment`key`,
      notice: fragment`kind`,
      workspace: fragment`workspace_id`,
      person: fragment`user_id`,
      ownersOnly: fragment`kind = any (${mailGroups.owner}::text[])`,
      facts: fragment`facts`,
      at: now() / 1000,
    })}
    from jsonb_to_recordset(${sql.json(mails)}) as m (key text, kind text, workspace_id text, user_id text, facts jsonb)`
  messageQueued()
  return { body: undefined }
}
