import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ScopedCaller } from '@svc/contract/core/caller'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Sql } from '@svc/runtime/database'
import { oncePerPage } from '@svc/runtime/page-reader'
import type { Deps } from '../deps.ts'
import { filterApiTokens } from './filter-api-tokens.ts'
import type { ApiTokenRow } from './read-api-tokens.ts'

export const listApiTokens: Handler<typeof authTokens.operations.list_api_tokens, Deps> = async (
  { query: { limit, cursor, ...filters } },
  caller,
  { sql, now, readApiTokens, call: { deadline } },
) => {
  const after = afterCursor(cursor, 'tok')
  const { workspace } = caller
  const wanted = { workspace, after, limit: limit + 1, deadline }
  const isFiltered = filters.ends_before !== undefined || filters.unused_since !== undefined
  const rows = isFiltered ? await filterApiTokens(sql, wanted, filters, now()) : await readApiTokens(wanted)
  if (!managesTokens(caller)) return { body: pageForMembers(rows, limit), shared: true }
  const page = pageOf(rows, limit)
  return { body: { ...page, data: await withCreators(sql, workspace, page.data) } }
}

const pageForMembers = oncePerPage((rows: ApiTokenRow[], limit: number) => {
  const { data, next_cursor } = pageOf(rows, limit)
  return { data: data.map(({ ends_with_creator, ...token }) => token), next_cursor }
})

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
    : sql<{ id: string; email: string; is_member: boolean }>`/* auth_tokens.read_token_creators */
      select u.id, u.email, m.user_id is not null as is_member
      from users u left join memberships m on m.user_id = u.id and m.workspace_id = ${workspace}
      where u.id = any (${ids}::text[])`
