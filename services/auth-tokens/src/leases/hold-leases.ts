import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { actorText } from '@svc/contract/core/actor'
import type { Handler } from '@svc/contract/core/operation'
import { usedBits } from '../api-tokens/used-permissions.ts'
import type { Deps } from '../deps.ts'

export const holdLeases: Handler<typeof authTokens.operations.hold_leases, Deps> = async (
  { body: { holder, release, api_tokens = [], sessions = [], refusals: refused = [] } },
  _caller,
  { sql, renewLease, recordUse, refusals, call },
) => {
  for (const { id, at, used = '' } of api_tokens) recordUse.apiToken(id, at, usedBits(used))
  for (const { id, at } of sessions) recordUse.session(id, at)
  for (const { token: id, workspace, name, reason, request_id, address, count } of refused) {
    const caller = {
      kind: 'api_token',
      id,
      workspace,
      role: 'member',
      ...(name !== null && { name }),
    } as const
    refusals.token({ id, workspace, reason, count }, { actor: actorText(caller), request_id, address })
  }
  if (release) {
    await sql`/* auth_tokens.release_lease */ delete from lease_holders where id = ${holder}`
    return { body: { grant: '', until_ms: 0 } }
  }
  const { grant_id, until } = await renewLease({ id: holder, deadline: call.deadline })
  return { body: { grant: grant_id, until_ms: Math.floor(until) } }
}
