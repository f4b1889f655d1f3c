import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { maxNames, type Named, nameMatches } from '@svc/runtime/name-matches'
import type { Deps } from '../deps.ts'

export const listMatches: Handler<typeof activity.operations.list_matches, Deps> = async (
  { body: { words } },
  { workspace },
  { sql },
) => {
  const endpoints = await sql<Named>`/* activity.list_endpoint_names */
    select id, url as name, description as detail
    from webhook_endpoints where workspace_id = ${workspace} order by id desc limit ${maxNames}`
  return { body: nameMatches('webhook_endpoint', words, endpoints) }
}
