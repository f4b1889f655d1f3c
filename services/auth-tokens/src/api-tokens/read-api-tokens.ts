import type { Database } from '@svc/runtime/database'
import { createPageReader, pagesIn } from '@svc/runtime/page-reader'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export interface ApiTokenRow {
  id: string
  name: string
  hint: string
  created_at: number
  created_by: string | null
  last_used_at: number | null
  expires_at: number | null
  previous_expires_at: number | null
  stale: boolean
  ends_with_creator: boolean
  can: string | null
  allowed_addresses: string[] | null
}

const staleAfterSeconds = 365 * 24 * 60 * 60

/** @param now Unix milliseconds */
export const apiTokenColumns = (now: number): Fragment => fragment`
  id, name, hint, created_by,
  unix_seconds(created_at) as created_at,
  unix_seconds(last_used_at) as last_used_at,
  unix_seconds(expires_at) as expires_at,
  (
    select unix_seconds(r.expires_at) from retired_secrets r
    where r.token_id = api_tokens.id and r.expires_at > to_timestamp(${Math.floor(now / 1000)})
  ) as previous_expires_at,
  coalesce(last_used_at, created_at) <= to_timestamp(${Math.floor(now / 1000) - staleAfterSeconds}) as stale,
  ends_with_creator, can, to_jsonb(allowed_addresses) as allowed_addresses`

export const createApiTokenReader = (database: Database, now: () => number) =>
  createPageReader<ApiTokenRow>(
    database,
    'api_token_pages',
    (sql, wanted) => sql`/* auth_tokens.list_api_tokens */
      select page.ordinal, t.*
      from ${pagesIn(wanted)}
      cross join lateral (
        select ${apiTokenColumns(now())}
        from api_tokens
        where workspace_id = page.workspace_id and id < page.after and ci_trust_id is null
        order by id desc
        limit page.size
      ) t
      order by page.ordinal, t.id desc`,
  )
