import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import { oncePerPage } from '@svc/runtime/page-reader'
import type { Deps } from '../deps.ts'
import { filterApiTokens } from './filter-api-tokens.ts'
import type { ApiTokenRow } from './read-api-tokens.ts'
import { forMembers, managesTokens, withCreators } from './show-api-tokens.ts'

export const listApiTokens: Handler<typeof authTokens.operations.list_api_tokens, Deps> = async (
  { query: { limit, cursor, ...filters } },
  caller,
  { sql, now, readApiTokens, call: { deadline } },
) => {
  const after = afterCursor(cursor, 'tok')
  const { workspace } = caller
  const wanted = { workspace, after, limit: limit + 1, deadline }
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  const rows = isFiltered ? await filterApiTokens(sql, wanted, filters, now()) : await readApiTokens(wanted)
  if (!managesTokens(caller)) return { body: pageForMembers(rows, limit), shared: true }
  const page = pageOf(rows, limit)
  return { body: { ...page, data: await withCreators(sql, workspace, page.data) } }
}

const pageForMembers = oncePerPage((rows: ApiTokenRow[], limit: number) => {
  const { data, next_cursor } = pageOf(rows, limit)
  return { data: data.map(forMembers), next_cursor }
})
