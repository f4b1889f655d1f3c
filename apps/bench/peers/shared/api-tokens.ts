import type { Caller } from './caller.ts'
import { idBefore, type Page, type PageQuery, pageOf } from './page.ts'
import type { Pool } from './pool.ts'

export interface ApiToken {
  id: string
  name: string
  hint: string
  created_at: number
  created_by: string | null
  last_used_at: number | null
  expires_at: number | null
}

export async function listApiTokens(pool: Pool, caller: Caller, query: PageQuery): Promise<Page<ApiToken>> {
  const sql = pool.next()
  const rows = await sql<ApiToken[]>`
    select id, name, hint, created_by,
      floor(extract(epoch from created_at))::float8 as created_at,
      floor(extract(epoch from last_used_at))::float8 as last_used_at,
      floor(extract(epoch from expires_at))::float8 as expires_at
    from auth_tokens.api_tokens
    where workspace_id = ${caller.workspace} and id < ${idBefore(query, 'tok')}
    order by id desc
    limit ${query.limit + 1}`
  return pageOf(rows, query)
}
