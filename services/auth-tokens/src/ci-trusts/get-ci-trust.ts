import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { ciTrustColumns, ciTrustRecord, type CiTrustRow } from './ci-trust.ts'

export const getCiTrust: Handler<typeof authTokens.operations.get_ci_trust, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [trust] = await sql<CiTrustRow>`/* auth_tokens.get_ci_trust */
    select ${ciTrustColumns} from ci_trusts where workspace_id = ${workspace} and id = ${id}`
  if (!trust) throw refusal('not_found', { path: ['id'] })
  return { body: ciTrustRecord(trust) }
}
