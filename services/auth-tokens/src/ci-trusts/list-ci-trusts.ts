import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../deps.ts'
import { ciTrustColumns, ciTrustRecord, type CiTrustRow } from './ci-trust.ts'

export const listCiTrusts: Handler<typeof authTokens.operations.list_ci_trusts, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<CiTrustRow>`/* auth_tokens.list_ci_trusts */
    select ${ciTrustColumns}
    from ci_trusts
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'trust')}
    order by id desc
    limit ${limit + 1}`
  const { data, next_cursor } = pageOf(rows, limit)
  return { body: { data: data.map(ciTrustRecord), next_cursor } }
}
