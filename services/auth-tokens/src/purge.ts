/** Removes expired rows, a bounded number of each kind at a time. */
import { ciAttemptDays } from '@svc/contract/auth-tokens/ci-trusts'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { firstKeptDay } from './api-tokens/used-permissions.ts'
import { weekInSeconds, type weeklyLimits } from './credentials/attempts.ts'
import { staleAfterDays } from './mail/claim-message.ts'
import { knownSince } from './sessions/known-browsers.ts'
import { retiredForSeconds } from './signing-keys/signing-keys.ts'

const batchSize = 5000
/** Limits whose buckets are kept for a week. */
const weekly: keyof typeof weeklyLimits = 'invitation_mail_per_workspace_and_recipient'

/**
 * Rows locked by another replica or a request are left for the next run, so that nothing waits. The arrays are
 * evaluated once each; a `limit` inside `in` may be evaluated once for every row.
 *
 * @param seconds now, in Unix seconds
 */
export function purge(sql: Sql, seconds: number) {
  const now = fragment`to_timestamp(${seconds})`
  const dayAgo = fragment`${now} - interval '1 day'`
  const keptAttempt = fragment`
    starts_with(bucket, ${weekly}) and touched_at >= to_timestamp(${seconds - weekInSeconds})`
  return sql`/* auth_tokens.purge */
    with old_grants as (
      ${deleteOldest(fragment`device_grants`, fragment`id`, fragment`expires_at`, dayAgo)}
    ), old_attempts as (
      ${deleteOldest(fragment`attempts`, fragment`bucket`, fragment`touched_at`, dayAgo, keptAttempt)}
    ), old_verifications as (
      ${deleteOldest(fragment`verifications`, fragment`hash`, fragment`expires_at`, now)}
    ), old_links as (
      ${deleteOldest(fragment`used_links`, fragment`hash`, fragment`expires_at`, now)}
    ), old_id_tokens as (
      ${deleteOldest(fragment`used_id_tokens`, fragment`hash`, fragment`expires_at`, now)}
    ), old_runs as (
      ${deleteOldest(fragment`ci_attempts`, fragment`id`, fragment`attempted_at`, fragment`${now} - make_interval(days => ${ciAttemptDays})`)}
    ), old_secrets as (
      ${deleteOldest(fragment`retired_secrets`, fragment`hash`, fragment`expires_at`, now)}
    ), old_uses as (
      ${deleteOldest(fragment`api_token_uses`, fragment`ctid`, fragment`day`, fragment`${firstKeptDay(seconds)}::date`)}
    ), old_networks as (
      ${deleteOldest(fragment`known_networks`, fragment`ctid`, fragment`seen_at`, fragment`${now} - interval '1 year'`)}
    ), old_browsers as (
      ${deleteOldest(fragment`known_browsers`, fragment`hash`, fragment`seen_at`, fragment`to_timestamp(${knownSince(seconds)})`)}
    ), old_challenges as (
      ${deleteOldest(fragment`used_challenges`, fragment`hash`, fragment`expires_at`, dayAgo)}
    ), old_pending as (
      ${deleteOldest(fragment`pending_sign_ins`, fragment`hash`, fragment`expires_at`, now)}
    ), old_invitations as (
      ${deleteOldest(fragment`invitations`, fragment`id`, fragment`expires_at`, fragment`${now} - interval '30 days'`)}
    ), old_requests as (
      ${deleteOldest(fragment`requested_mail`, fragment`key`, fragment`created_at`, fragment`${now} - interval '30 days'`)}
    ), old_notices as (
      -- Without a mail server they wait for nothing.
      ${deleteOldest(fragment`messages`, fragment`id`, fragment`next_at`, fragment`${now} - make_interval(days => ${staleAfterDays})`, fragment`notice is null`)}
    ), old_holders as (
      -- By the database's clock, as they are written.
      delete from lease_holders where id = any (array(
        select id from lease_holders where until < now() - interval '1 minute' order by id for update skip locked
      ))
    ), old_keys as (
      delete from signing_keys where retired_at < to_timestamp(${seconds - retiredForSeconds})
    )
    ${deleteOldest(fragment`sessions`, fragment`id`, fragment`expires_at`, dayAgo)}`
}

/** The array is evaluated once; a `limit` inside `in` may be evaluated once for every row. */
const deleteOldest = (
  table: Fragment,
  key: Fragment,
  time: Fragment,
  end: Fragment,
  kept = fragment`false`,
): Fragment => fragment`
  delete from ${table} where ${key} = any (array(
    select ${key} from ${table} where ${time} < ${end} and not (${kept})
    order by ${time} limit ${batchSize} for update skip locked
  ))`
