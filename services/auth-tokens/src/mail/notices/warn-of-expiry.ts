/** Notifies the owners of a workspace seven days and one day before an API token expires. */
import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'
import { queueNotice } from '../queue-notice.ts'

const daySeconds = 86_400
const warningDays = [7, 1]
const atOnce = 100

/** The first notice, in Unix seconds; null if the token lives less than a day. */
export function firstWarning(expires_at: number | undefined, now: number): number | null {
  if (expires_at === undefined) return null
  const times = warningDays.map(days => expires_at - days * daySeconds)
  return times.find(time => time > now) ?? null
}

/** Any number of replicas may run it. @param at Unix seconds. @returns how many tokens it examined */
export async function warnOfExpiry(sql: Sql, at: number): Promise<number> {
  const warned = await sql`/* auth_tokens.warn_of_expiry */
    with warned as (
      update api_tokens t set
        warn_at = case when t.expires_at - interval '1 day' > to_timestamp(${at}) then t.expires_at - interval '1 day' end
      where t.id = any (array(
        select id from api_tokens where warn_at <= to_timestamp(${at})
        order by warn_at limit ${atOnce} for no key update skip locked
      ))
      returning t.*, case when t.warn_at is null then 1 else 7 end as days
    )
    select case when expires_at > to_timestamp(${at}) then ${queueNotice({
      key: fragment`concat_ws(' ', 'token_ends', id, days)`,
      notice: 'token_ends',
      workspace: fragment`workspace_id`,
      facts: fragment`jsonb_build_object(
        'token', name, 'hint', hint, 'days', days, 'ends_at', unix_seconds(expires_at), 'last_used_at', unix_seconds(last_used_at)
      )`,
      at,
    })} end as queued
    from warned`
  return warned.length
}
