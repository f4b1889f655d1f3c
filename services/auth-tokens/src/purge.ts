/** Removes what has ended and is of no more use, a bounded number of rows of each kind at a time. */
import type { Sql } from '@svc/runtime/database'
import { retiredForSeconds } from './signing-keys.ts'

const most = 5000

/** @param seconds now, in Unix seconds */
export const purge = (sql: Sql, seconds: number) => sql`
  with old_grants as (
    delete from device_grants where id in (
      select id from device_grants where expires_at < to_timestamp(${seconds}) - interval '1 day' limit ${most}
    )
  ), old_attempts as (
    delete from attempts where bucket in (
      select bucket from attempts where touched_at < to_timestamp(${seconds}) - interval '1 day'
      order by bucket limit ${most} for update skip locked
    )
  ), old_verifications as (
    delete from verifications where hash in (
      select hash from verifications where expires_at < to_timestamp(${seconds}) limit ${most}
    )
  ), old_secrets as (
    delete from retired_secrets where hash in (
      select hash from retired_secrets where expires_at < to_timestamp(${seconds}) limit ${most}
    )
  ), old_keys as (
    delete from signing_keys where retired_at < to_timestamp(${seconds - retiredForSeconds})
  )
  delete from sessions where id in (
    select id from sessions where expires_at < to_timestamp(${seconds}) - interval '1 day' limit ${most}
  )`
