import type { authTokens } from '@svc/contract/auth-tokens'
import type { ScopedCaller } from '@svc/contract/caller'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Database, Sql } from '@svc/runtime/database'
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
  ends_with_creator: boolean
}

export const listApiTokens: Handler<typeof authTokens.operations.list_api_tokens, Deps> = async (
  { query: { limit, cursor } },
  caller,
  { sql, readApiTokens, call: { deadline } },
) => {
  const after = afterCursor(cursor, 'tok')
  const { workspace } = caller
  const page = pageOf(await readApiTokens({ workspace, after, limit: limit + 1, deadline }), limit)
  const data = managesTokens(caller)
    ? await withCreators(sql, workspace, page.data)
    : page.data.map(({ ends_with_creator, ...token }) => token)
  return { body: { ...page, data } }
}

/** Who may create and revoke tokens, and so has use for whose they are. */
const managesTokens = (caller: ScopedCaller) =>
  caller.kind === 'internal' || ('role' in caller && caller.role !== 'member')

async function withCreators(sql: Sql, workspace: string, tokens: ApiTokenRow[]) {
  const ids = [...new Set(tokens.flatMap(({ created_by }) => created_by ?? []))]
  const creators = await readCreators(sql, workspace, ids)
  return tokens.map(token => {
    const creator = creators.find(({ id }) => id === token.created_by)
    return {
      ...token,
      creator_email: creator?.email ?? null,
      creator_is_member: creator?.is_member ?? null,
    }
  })
}

const readCreators = async (sql: Sql, workspace: string, ids: string[]) =>
  ids.length === 0
    ? []
    : sql<{ id: string; email: string; is_member: boolean }>`
      select u.id, u.email, m.user_id is not null as is_member
      from users u left join memberships m on m.user_id = u.id and m.workspace_id = ${workspace}
      where u.id = any (${ids}::text[])`

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
          coalesce(last_used_at, created_at) <= to_timestamp(${Math.floor(now() / 1000) - staleAfterSeconds}) as stale,
          ends_with_creator
        from api_tokens
        where workspace_id = page.workspace_id and id < page.after
        order by id desc
        limit page.size
      ) t
      order by page.place, t.id desc`,
  )
