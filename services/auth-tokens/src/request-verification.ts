import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import {
  addressBucket,
  attemptLimits,
  attemptWindowSeconds,
  bucketOf,
  dailyLimits,
  dayInSeconds,
  tooManyAttempts,
} from './attempts.ts'
import type { Deps } from './deps.ts'

/** Users are not looked at: whether the address has signed up is told to nobody but its mailbox. */
export const requestVerification: Handler<typeof authTokens.operations.request_verification, Deps> = async (
  { body: { email, origin } },
  _caller,
  { sql, now, messageQueued },
) => {
  const at = now() / 1000
  const address = email.toLowerCase()
  const [outcome] = await sql<{ wait: number }>`
    with taken as materialized (
      select take_attempts(
        ${[bucketOf('verifications_per_account', address), addressBucket('verifications_per_address', origin.address)]}::text[],
        ${[attemptLimits.verifications_per_account, attemptLimits.verifications_per_address]}::bigint[],
        make_interval(secs => ${attemptWindowSeconds}), to_timestamp(${at})
      ) as wait
    ), mailed as materialized (
      select take_attempt(
        ${bucketOf('mail_per_recipient', address)}, ${dailyLimits.mail_per_recipient},
        make_interval(secs => ${dayInSeconds}), to_timestamp(${at})
      ) as wait
      from taken where wait = 0
    ), queued as (
      insert into messages (id, kind, email, created_at, next_at)
      select ${newId('msg')}, 'verification', ${address}, to_timestamp(${at}), to_timestamp(${at})
      from mailed where wait = 0
    )
    select greatest(taken.wait, mailed.wait) as wait from taken left join mailed on true`
  if (outcome && outcome.wait > 0) throw tooManyAttempts(outcome.wait)
  messageQueued()
  return { body: undefined }
}
