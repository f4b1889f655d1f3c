/** Notifies the owners and admins of a workspace that an endpoint fails. */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Sql } from '@svc/runtime/database'

interface Wanted {
  readonly id: string
  readonly workspace_id: string
  readonly kind: 'failing' | 'disabled'
  readonly reason: 'failing' | 'gone' | null
  readonly host: string
  readonly since: number | null
}

/** However often it asks, auth-tokens sends a message once. */
export async function requestMail(sql: () => Sql, call: CallBus): Promise<boolean> {
  const wanted = await sql()<Wanted>`/* activity.list_wanted_mail */
    select id, workspace_id, mail as kind, disabled_reason as reason, substring(url from '//([^/?]*)') as host,
      unix_seconds(failing_since) as since
    from webhook_endpoints where mail is not null and id > '' order by id limit 10`
  for (const { id, workspace_id, kind, reason, host, since } of wanted) {
    await invoke(call, authTokens, 'request_webhook_mail', {
      caller: { kind: 'internal', id: 'activity', workspace: workspace_id },
      body: { key: `${id} ${kind} ${since}`, kind: reason === 'gone' ? 'gone' : kind, host, since },
    })
    await sql()`/* activity.note_mail */
      update webhook_endpoints set mail = null where id = ${id} and mail = ${kind}`
  }
  return wanted.length === 10
}
