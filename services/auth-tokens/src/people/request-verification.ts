import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { addressBucket, boundsOf, bucketOf, networkHash, tooManyAttempts } from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'

/**
 * Only the mailbox learns whether the address has signed up: the budgets are the same with and without an account.
 * Places where the person has signed in before have an extra budget, which neither strangers elsewhere nor requests
 * from there for other addresses can use up.
 */
export const requestVerification: Handler<typeof authTokens.operations.request_verification, Deps> = async (
  { body: { email, origin, offer } },
  _caller,
  { sql, now, messageQueued },
) => {
  const at = now() / 1000
  const network = addressBucket('links_per_address', origin.address)
  const fromThere = [
    'links_per_recipient_and_address',
    bucketOf('links_per_recipient_and_address', `${email} ${network}`),
  ] as const
  const within = (budget: 'sign_up_mail_per_recipient' | 'recovery_mail_per_recipient') =>
    boundsOf(['links_per_address', network], fromThere, [budget, bucketOf(budget, email)])
  const signUp = within('sign_up_mail_per_recipient')
  const recovery = within('recovery_mail_per_recipient')
  const reserve = boundsOf(fromThere, [
    'recovery_mail_in_reserve',
    bucketOf('recovery_mail_in_reserve', email),
  ])
  const [outcome] = await sql<{ wait: number }>`/* auth_tokens.request_verification */
    with asked as materialized (
      select u.id as user_id, known.user_id is not null as known
      from (select) once
      left join users u on u.email = ${email} and u.password_hash is not null and u.verified_at is not null
      left join known_networks known on known.user_id = u.id and known.network = ${networkHash(origin.address)}
    ), taken as materialized (
      select user_id, known, take_attempts(
        case when user_id is null then ${signUp.buckets}::text[] else ${recovery.buckets}::text[] end,
        case when user_id is null then ${signUp.most}::bigint[] else ${recovery.most}::bigint[] end,
        ${signUp.seconds}::bigint[], to_timestamp(${at})
      ) as wait
      from asked
    ), reserved as materialized (
      select take_attempts(
        ${reserve.buckets}::text[], ${reserve.most}::bigint[], ${reserve.seconds}::bigint[], to_timestamp(${at})
      ) as wait
      from taken where known and wait > 0
    ), settled as (
      select user_id, least(taken.wait, reserved.wait) as wait from taken left join reserved on true
    ), queued as (
      insert into messages (id, kind, email, details, created_at, next_at)
      select ${newId('msg')}, case when user_id is null then 'sign_up' else 'recovery' end, ${email}, ${offer ? sql.json(offer) : null}, to_timestamp(${at}), to_timestamp(${at})
      from settled where wait = 0
    )
    select wait from settled`
  if (outcome && outcome.wait > 0) throw tooManyAttempts(outcome.wait)
  messageQueued()
  return { body: undefined }
}
