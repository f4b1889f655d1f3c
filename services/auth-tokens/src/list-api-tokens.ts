import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'

interface Row {
  id: string
  name: string
  hint: string
  created_at: number
  created_by: string | null
  last_used_at: number | null
  expires_at: number | null
}

export const listApiTokens: Handler<typeof authTokens.operations.list_api_tokens, Deps> = async (
  { query: { limit, cursor } },
  caller,
  { sql },
) => {
  const after = afterCursor(cursor, 'tok')
  const rows = await sql<Row>`
    select id, name, hint, created_by,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from last_used_at))::bigint as last_used_at,
      floor(extract(epoch from expires_at))::bigint as expires_at
    from api_tokens
    where workspace_id = ${caller.workspace} and id < coalesce(${after}, 'u')
    order by id desc
    limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
