import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { type ApiTokenRow, apiTokenColumns } from './read-api-tokens.ts'
import { forMembers, managesTokens, withCreatorOf } from './show-api-tokens.ts'
import { firstKeptDay, usedOf } from './used-permissions.ts'

interface UsedTokenRow extends ApiTokenRow {
  used: number | null
  first_used: number | null
  ci_trust_id: string | null
  run: Record<string, string> | null
}

export const getApiToken: Handler<typeof authTokens.operations.get_api_token, Deps> = async (
  { params: { id } },
  caller,
  { sql, now },
) => {
  const { workspace } = caller
  const [row] = await sql<UsedTokenRow>`/* auth_tokens.get_api_token */
    select ${apiTokenColumns(now())}, u.used, u.first_used, ci_trust_id, run
    from api_tokens cross join lateral (
      select bit_or(used) as used, extract(epoch from min(day))::bigint as first_used
      from api_token_uses where token_id = api_tokens.id and day >= ${firstKeptDay(now() / 1000)}::date
    ) u
    where workspace_id = ${workspace} and id = ${id}`
  if (!row) throw refusal('not_found', { path: ['id'] })
  const { used, first_used, ci_trust_id, run, ...token } = row
  const ci = ci_trust_id !== null && run !== null && { ci_trust_id, run }
  if (!managesTokens(caller)) return { body: { ...forMembers(token), ...ci } }
  return {
    body: {
      ...(await withCreatorOf(sql, workspace, token)),
      ...usedOf(token.can, used),
      ...ci,
      observed_since: first_used === null ? null : Math.max(first_used, token.created_at),
    },
  }
}
