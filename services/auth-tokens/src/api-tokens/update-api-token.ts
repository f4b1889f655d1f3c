import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { refuseStale } from '@svc/contract/core/refuse-caller'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { apiTokenPrincipal } from '../leases/principals.ts'
import {
  canonicalNetworks,
  maskOfWanted,
  mayNoMoreThan,
  permissionNames,
  outlives,
  refuseOutliving,
  refuseToGrant,
  widens,
} from './narrowing.ts'
import { type ApiTokenRow, apiTokenColumns } from './read-api-tokens.ts'
import { withCreatorOf } from './show-api-tokens.ts'

interface UpdateApiTokenResult {
  readonly can: string | null
  readonly may_more: boolean
  readonly outlives: boolean
  readonly row: ApiTokenRow | null
}

const tokenFields = fragment`jsonb_build_object(
  'name', name, 'permissions', ${permissionNames}, 'allowed_addresses', to_jsonb(allowed_addresses)
)`

export const updateApiToken: Handler<typeof authTokens.operations.update_api_token, Deps> = async (
  { params: { id }, body: { name = null, permissions, allowed_addresses } },
  caller,
  { sql, now, recall, eventWritten, call },
) => {
  const { workspace } = caller
  const can = permissions ? maskOfWanted(permissions) : null
  const networks = allowed_addresses ? canonicalNetworks(allowed_addresses) : null
  if (permissions !== undefined) refuseToGrant(caller, can)
  const stale = refuseStale(caller, now() / 1000)
  const wanted = {
    permissions: permissions === undefined ? undefined : { can },
    addresses: allowed_addresses !== undefined && { networks },
  }
  const [outcome] = await sql<UpdateApiTokenResult>`/* auth_tokens.update_api_token */
    with current as materialized (
      select id, can, ${tokenFields} as previous, ${stale !== undefined} and ${widens(wanted)} as is_stale,
        ${outlives(caller)} and ${widens(wanted)} as outlives, ${permissions === undefined} and not ${mayNoMoreThan(caller)} as may_more
      from api_tokens
      -- What a run of CI may do follows from its trust.
      where workspace_id = ${workspace} and id = ${id} and ci_trust_id is null for no key update
    ), changed as (
      update api_tokens t set
        name = coalesce(${name}, t.name),
        can = case when ${permissions === undefined} then t.can else ${can}::text end,
        allowed_addresses = case when ${allowed_addresses === undefined} then t.allowed_addresses else ${networks}::text[] end
      from current c where t.id = c.id and not (c.is_stale or c.may_more or c.outlives)
      returning t.*, c.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(tokenFields))}
      id, 'events.api_tokens.updated', jsonb_build_object('workspace_id', workspace_id)
      from changed where previous <> ${tokenFields}
    )
    select can, may_more, outlives, (select to_jsonb(r) from (select ${apiTokenColumns(now())} from changed api_tokens) r) as row
    from current`
  const { row = null } = outcome ?? {}
  if (row) eventWritten()
  await recall(apiTokenPrincipal(workspace, id))
  if (outcome?.may_more) refuseToGrant(caller, outcome.can)
  if (outcome?.outlives) refuseOutliving(caller)
  if (!row && outcome && stale) throw stale
  if (!row) throw refusal('not_found', { path: ['id'] })
  return { body: await withCreatorOf(sql, workspace, row) }
}
