import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ScopedCaller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { createApiToken as createSecret, hashCredential } from '@svc/runtime/credential'
import { type CreatedRow, creationKey, orCreated, refuseReplay } from '@svc/runtime/creation-key'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { firstWarning } from '../mail/notices/warn-of-expiry.ts'
import { canonicalNetworks, maskOfWanted, narrowedBy, refuseOutliving, refuseToGrant } from './narrowing.ts'

export const createApiToken: Handler<typeof authTokens.operations.create_api_token, Deps> = async (
  { headers, body },
  caller,
  { sql, now, eventWritten, call },
) => {
  const { name, expires_at, ends_with_creator = false } = body
  const can = body.permissions === undefined ? null : maskOfWanted(body.permissions)
  refuseToGrant(caller, can)
  refuseOutliving(caller, expires_at)
  const allowed_addresses = body.allowed_addresses ? canonicalNetworks(body.allowed_addresses) : null
  const person = creatorOf(caller, ends_with_creator)
  const key = creationKey(headers, { ...body, ends_with_creator })
  const seconds = Math.floor(now() / 1000)
  const isPast = expires_at !== undefined && expires_at <= seconds
  if (isPast && key.key === null) throw timeInPast(seconds)
  const id = newId('tok')
  const secret = createSecret()
  // The membership's row is locked, so that whoever ends it finds this token, or this statement finds it ended.
  // Also deletes expired tokens: the quota does not count them, and nobody else might delete them.
  const [created] = await sql<CreatedRow>`/* auth_tokens.create_api_token */
    with workspace as (
      select id from workspaces where id = ${caller.workspace}
    ), creator as materialized (
      select m.user_id from workspace w join memberships m on m.workspace_id = w.id and m.user_id = ${person}
      for share of m
    ), permitted as (
      select id from workspace w
      where (${person}::text is null or exists (select from creator))
        -- A repetition may come after the end of the token.
        and (not ${isPast}::boolean or exists (
          select from api_tokens t where t.workspace_id = w.id and t.creation_key = ${key.key}
        ))
    ), forgotten as materialized (
      select id, forget_expired_tokens(id, to_timestamp(${seconds})) from permitted
    ), created as (
      insert into api_tokens (
        id, workspace_id, name, hash, hint, created_by, created_at, expires_at, warn_at, ends_with_creator,
        can, allowed_addresses, creation_key, creation_intent
      )
      select ${id}, w.id, ${name}, decode(${hashCredential(secret)}, 'hex'), ${secret.slice(-4)},
        ${person}, to_timestamp(${seconds}), to_timestamp(${expires_at ?? null}::bigint),
        to_timestamp(${firstWarning(expires_at, seconds)}::bigint), ${ends_with_creator},
        ${can}, ${allowed_addresses}::text[], ${key.key}, ${key.intent}
      from forgotten w
      ${orCreated}
      returning id, workspace_id, created_by, unix_seconds(expires_at) as expires_at, creation_intent
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.api_tokens.created',
        jsonb_build_object('workspace_id', workspace_id, 'created_by', created_by, 'expires_at', expires_at)
      from created where id = ${id}
    )
    select id, creation_intent from created`
  if (!created && isPast) throw timeInPast(seconds)
  if (!created) {
    throw refusal('not_a_member', {
      message: 'There is no such workspace, or you are no longer a member of it.',
    })
  }
  refuseReplay(created, id, key)
  eventWritten()
  return {
    body: {
      id,
      name,
      token: secret,
      ...narrowedBy({ can, allowed_addresses }),
      ...(expires_at !== undefined && { expires_at }),
    },
  }
}

const timeInPast = (seconds: number) =>
  refusal('time_in_past', {
    path: ['expires_at'],
    message: `expires_at must be in the future; it is now ${seconds}.`,
  })

function creatorOf(caller: ScopedCaller, endsWithCreator: boolean): string | null {
  if ('user' in caller) return caller.user
  if (!endsWithCreator) return null
  throw refusal('credential_kind', {
    path: ['ends_with_creator'],
    message:
      'Only a token created by a person can end with its creator. Leave ends_with_creator out, or sign in.',
  })
}
