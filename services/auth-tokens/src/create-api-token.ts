import type { authTokens } from '@svc/contract/auth-tokens'
import type { ScopedCaller } from '@svc/contract/caller'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import { createApiToken as createSecret, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import type { Deps } from './deps.ts'

/** Live tokens that a workspace may have at once. */
const maxLiveTokens = 500

export const createApiToken: Handler<typeof authTokens.operations.create_api_token, Deps> = async (
  { body },
  caller,
  { sql, now, eventWritten },
) => {
  const { name, expires_at } = body
  const seconds = Math.floor(now() / 1000)
  if (expires_at !== undefined && expires_at <= seconds) {
    throw refusal('time_in_past', {
      path: ['expires_at'],
      message: `expires_at must lie in the future; it is now ${seconds}.`,
    })
  }
  const id = newId('tok')
  const secret = createSecret()
  // The workspace's row is locked, so that two callers at once cannot both take the last place.
  const [outcome] = await sql<{ known: boolean; created: boolean }>`
    with workspace as (
      select id from workspaces where id = ${caller.workspace} for update
    ), created as (
      insert into api_tokens (id, workspace_id, name, hash, hint, created_by, created_at, expires_at)
      select ${id}, w.id, ${name}, decode(${hashCredential(secret)}, 'hex'), ${secret.slice(-4)},
        ${userOf(caller)}, to_timestamp(${seconds}), to_timestamp(${expires_at ?? null}::bigint)
      from workspace w
      where live_tokens(w.id, to_timestamp(${seconds})) < ${maxLiveTokens}
      returning id, workspace_id, created_by, floor(extract(epoch from expires_at))::bigint as expires_at
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.api_tokens.created',
        jsonb_build_object('workspace_id', workspace_id, 'created_by', created_by, 'expires_at', expires_at)
      from created
    )
    select exists (select from workspace) as known, exists (select from created) as created`
  if (!outcome?.known) throw refusal('not_a_member', { message: 'There is no such workspace.' })
  if (!outcome.created) {
    throw refusal('limit_reached', {
      message: `The workspace has ${maxLiveTokens} live API tokens. Revoke one that is no longer used.`,
    })
  }
  eventWritten()
  return { body: { id, name, token: secret, ...(expires_at !== undefined && { expires_at }) } }
}

const userOf = (caller: ScopedCaller) => ('user' in caller ? caller.user : null)
