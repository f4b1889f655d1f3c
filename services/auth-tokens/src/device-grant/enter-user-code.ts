import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Permission } from '@svc/contract/core/permissions'
import type { Handler } from '@svc/contract/core/operation'
import {
  attemptLimits,
  attemptWindowSeconds,
  bucketOf,
  dailyLimits,
  dayInSeconds,
  tooManyAttempts,
} from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'
import { granted } from './granted.ts'
import { personOf } from '../people/person.ts'

interface Entered {
  wait: number
  expired: boolean | null
  decided: boolean | null
  id: string | null
  client_id: string
  client_name: string
  address: string
  user_agent: string
  created_at: number
  expires_at: number
  scope: Permission[] | null
  workspace_id: string | null
  lifetime_seconds: number | null
}

/**
 * The account's attempt is counted before the code is checked, and given back if the code was right, so that
 * concurrent guesses cannot exceed the limit (RFC 8628, 5.1). Wrong codes also count for all accounts together;
 * that lengthens new codes (start-device-grant.ts) but refuses nobody, so strangers cannot keep others from
 * entering theirs. Only the first account that enters a code may decide.
 */
export const enterUserCode: Handler<typeof authTokens.operations.enter_user_code, Deps> = async (
  { body: { user_code_hash } },
  caller,
  { sql, now },
) => {
  const at = now() / 1000
  const user = personOf(caller)
  const bucket = bucketOf('user_codes_per_account', user)
  const [entered] = await sql<Entered>`/* auth_tokens.enter_user_code */
    with taken as materialized (
      select take_attempt(
        ${bucket}, ${attemptLimits.user_codes_per_account}, make_interval(secs => ${attemptWindowSeconds}), to_timestamp(${at})
      ) as wait
    ), known as (
      select expires_at <= to_timestamp(${at}) as expired, decision is not null as decided
      from device_grants
      where user_code_hash = decode(${user_code_hash}, 'hex') and (entered_by is null or entered_by = ${user})
    ), bound as (
      update device_grants g set entered_by = ${user}
      from taken
      where taken.wait = 0 and g.user_code_hash = decode(${user_code_hash}, 'hex')
        and (g.entered_by is null or g.entered_by = ${user})
        and g.decision is null and g.expires_at > to_timestamp(${at})
      returning g.id, g.client_id, g.address, g.user_agent, g.created_at, g.expires_at, to_json(g.scope) as scope, g.workspace_id,
        g.lifetime_seconds
    ), returned as materialized (
      select bound.*, return_attempt(${bucket}, to_timestamp(${at})) from bound
    ), wrong as materialized (
      select take_attempt(
        ${bucketOf('user_codes_in_all')}, ${dailyLimits.user_codes_in_all}, make_interval(secs => ${dayInSeconds}), to_timestamp(${at})
      )
      from taken where taken.wait = 0 and not exists (select from bound)
    )
    select taken.wait, known.expired, known.decided, g.id, g.client_id, c.name as client_name, g.address, g.user_agent,
      unix_seconds(g.created_at) as created_at,
      unix_seconds(g.expires_at) as expires_at, g.scope, g.workspace_id, g.lifetime_seconds
    from taken
    left join known on true
    left join wrong on true
    left join returned g on true
    left join oauth_clients c on c.id = g.client_id`
  const { wait = 0, expired, decided, id, ...found } = entered as Entered
  if (wait > 0) throw tooManyAttempts(wait)
  if (id) {
    const { scope, workspace_id, lifetime_seconds, ...grant } = found
    return {
      body: {
        outcome: 'found',
        grant: { id, ...grant, ...granted({ scope, workspace_id, lifetime_seconds }) },
      },
    }
  }
  return { body: { outcome: decided ? 'decided' : expired ? 'expired' : 'unknown' } }
}
