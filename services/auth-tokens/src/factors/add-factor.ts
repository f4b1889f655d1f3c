import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import { maxPasskeys } from '@svc/contract/auth-tokens/factors'
import { byJson, intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'
import { type Challenge, useChallenge } from './challenges.ts'
import { factorNotice } from './factor-notice.ts'
import { newRecoveryCodes } from './recovery-codes.ts'

interface AddFactorResult {
  readonly has_factor: boolean
  readonly has_totp: boolean
  readonly passkey_count: number
  readonly was_added: boolean
}

interface Added {
  readonly kind: 'passkey' | 'totp'
  readonly challenge: Challenge
  /** `insert … select …`: `from person` and `returning user_id` follow. */
  readonly insert: Fragment
}

/**
 * One statement uses up the challenge, adds the factor, and makes recovery codes with the first one. A challenge that the
 * password has permitted adds nothing once there is a factor.
 *
 * @returns the recovery codes; null if there was a factor before
 */
export async function addFactor(
  { kind, challenge, insert }: Added,
  caller: Caller,
  { sql, now, recall, eventWritten, messageQueued, call }: Deps,
): Promise<string[] | null> {
  const user = personOf(caller)
  const { codes, replace } = newRecoveryCodes()
  const by = byJson(call.by)
  const [result] = await sql<AddFactorResult>`/* auth_tokens.add_factor */
    with locked as materialized (
      select id from users where id = ${user} and deleted_at is null for no key update
    ), factors as materialized (
      select id, f.* from locked, factors_now(id) f
    ), permitted as materialized (
      select id from factors
      where (${challenge.permitted_by === 'factor'} or not has_factor)
        and case when ${kind}::text = 'totp' then not has_totp else passkey_count < ${maxPasskeys} end
    ), challenge as (
      ${useChallenge(challenge, fragment`permitted`)}
    ), person as materialized (
      select id from permitted, challenge
    ), added as (
      ${insert} from person on conflict do nothing returning user_id
    ), event as (
      ${intoOutbox(call.by)} user_id, 'events.factors.added', jsonb_build_object('user_id', user_id, 'kind', ${kind}::text)
      from added
    )
    select has_factor, has_totp, passkey_count::int, user_id is not null as was_added,
      case when user_id is not null and not has_factor then ${replace(fragment`user_id`)} end,
      case when user_id is not null then ${factorNotice(`${kind}_added`, by, now() / 1000)} end
    from factors left join added on true`
  // Also if nothing was added: a process may have died before its recall.
  await recall(userPrincipal(user))
  if (!result) throw refusal('credential_invalid')
  if (!result.was_added) throw notAdded(kind, result)
  eventWritten()
  messageQueued()
  return result.has_factor ? null : codes
}

function notAdded(kind: Added['kind'], { has_totp, passkey_count }: AddFactorResult) {
  if (kind === 'totp' && has_totp) return refusal('already_exists', { message: hasTotp })
  if (kind === 'passkey' && passkey_count >= maxPasskeys)
    return refusal('factor_not_added', {
      message: `An account has at most ${maxPasskeys} passkeys. Remove one first.`,
    })
  return refusal('factor_not_added')
}

export const hasTotp = 'The account has an authenticator app already. Remove it first.'
