import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { provingBy } from './challenges.ts'
import { type PasskeyIds, passkeysOf, requestOptions } from './passkeys.ts'

interface ListFactorsResult {
  readonly passkeys: { id: string; name: string; created_at: number; last_used_at: number | null }[]
  readonly totp: { created_at: number } | null
  readonly recovery_codes: number
  readonly ids: PasskeyIds[]
}

export const listFactors: Handler<typeof authTokens.operations.list_factors, Deps> = async (
  _input,
  caller,
  deps,
) => {
  const [found] = await deps.sql<ListFactorsResult>`/* auth_tokens.list_factors */
    select coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', k.id, 'name', k.name, 'created_at', unix_seconds(k.created_at), 'last_used_at', unix_seconds(k.last_used_at)
        ) order by k.id)
        from passkeys k where k.user_id = u.id
      ), '[]') as passkeys,
      (select jsonb_build_object('created_at', unix_seconds(t.created_at)) from totp_factors t where t.user_id = u.id) as totp,
      (select count(*)::int from recovery_codes c where c.user_id = u.id and c.used_at is null) as recovery_codes,
      ${passkeysOf(fragment`u.id`)} as ids
    from users u where u.id = ${personOf(caller)} and u.deleted_at is null`
  if (!found) throw refusal('credential_invalid')
  const { ids, ...factors } = found
  const options = ids.length > 0 ? await requestOptions(provingBy(caller.id), ids, deps) : null
  return { body: { ...factors, options } }
}
