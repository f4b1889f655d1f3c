/** Removes what has ended and is of no more use, a bounded number of rows of each kind at a time. */
import type { Sql } from '@svc/runtime/database'
import { weekInSeconds, type weeklyLimits } from './attempts.ts'
import { knownSince } from './known-browsers.ts'
import { retiredForSeconds } from './signing-keys.ts'

const most = 5000
/** Whose buckets are looked at for a week. */
const weekly: keyof typeof weeklyLimits = 'invitation_mail_per_workspace_and_recipient'

/**
 * Rows that another replica removes or a request uses at this moment are left for the next time, so that nobody waits
 * for anybody. The arrays are read once each; a `limit` inside `in` may be read once for every row.
 *
 * @param seconds now, in Unix seconds
 */
export const purge = (sql: Sql, seconds: number) => sql`
  with old_grants as (
    delete from device_grants where id = any (array(
      select id from device_grants where expires_at < to_timestamp(${seconds}) - interval '1 day'
      order by expires_at limit ${most} for update skip locked
    ))
  ), old_attempts as (
    delete from attempts where bucket = any (array(
      select bucket from attempts
      where touched_at < to_timestamp(${seconds}) - interval '1 day'
        and (not starts_with(bucket, ${weekly}) or touched_at < to_timestamp(${seconds - weekInSeconds}))
      order by touched_at limit ${most} for update skip locked
    ))
  ), old_verifications as (
    delete from verifications where hash = any (array(
      select hash from verifications where expires_at < to_timestamp(${seconds})
      order by expires_at limit ${most} for update skip locked
    ))
  ), old_secrets as (
    delete from retired_secrets where hash = any (array(
      select hash from retired_secrets where expires_at < to_timestamp(${seconds})
      order by expires_at limit ${most} for update skip locked
    ))
  ), old_networks as (
    delete from known_networks where ctid = any (array(
      select ctid from known_networks where seen_at < to_timestamp(${seconds}) - interval '1 year'
      order by seen_at limit ${most} for update skip locked
    ))
  ), old_browsers as (
    delete from known_browsers where hash = any (array(
      select hash from known_browsers where seen_at < to_timestamp(${knownSince(seconds)})
      order by seen_at limit ${most} for update skip locked
    ))
  ), old_invitations as (
    delete from invitations where id = any (array(
      select id from invitations where expires_at < to_timestamp(${seconds}) - interval '30 days'
      order by expires_at limit ${most} for update skip locked
    ))
  ), old_keys as (
    delete from signing_keys where retired_at < to_timestamp(${seconds - retiredForSeconds})
  )
  delete from sessions where id = any (array(
    select id from sessions where expires_at < to_timestamp(${seconds}) - interval '1 day'
    order by expires_at limit ${most} for update skip locked
  ))`
