import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Database } from '@svc/runtime/database'
import { createPageReader } from '@svc/runtime/page-reader'
import type { Deps } from './deps.ts'

export interface ApiTokenRow {
  id: string
  name: string
  hint: string
  created_at: number
  created_by: string | null
  last_used_at: number | null
  expires_at: number | null
  stale: boolean
}

export const listApiTokens: Handler<typeof authTokens.operations.list_api_tokens, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { readApiTokens, call: { deadline } },
) => {
  const after = afterCursor(cursor, 'tok')
  return { body: pageOf(await readApiTokens({ workspace, after, limit: limit + 1, deadline }), limit) }
}

/** So long unused, a token is listed as stale. */
const staleAfterSeconds = 365 * 24 * 60 * 60

/** @param now Unix milliseconds */
export const createApiTokenReader = (database: Database, now: () => number) =>
  createPageReader<ApiTokenRow>(
    database,
    'api_token_pages',
    (sql, { workspaces, afters, limits }) => sql`
      select page.place, t.*
      from unnest(${workspaces}::text[], ${afters}::text[], ${limits}::bigint[])
        with ordinality as page (workspace_id, after, size, place)
      cross join lateral (
        select id, name, hint, created_by,
          floor(extract(epoch from created_at))::bigint as created_at,
          floor(extract(epoch from last_used_at))::bigint as last_used_at,
          floor(extract(epoch from expires_at))::bigint as expires_at,
          coalesce(last_used_at, created_at) <= to_timestamp(${Math.floor(now() / 1000) - staleAfterSeconds}) as stale
        from api_tokens
        where workspace_id = page.workspace_id and id < page.after
        order by id desc
        limit page.size
      ) t
      order by page.place, t.id desc`,
  )
