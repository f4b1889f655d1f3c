import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { maskOf } from '@svc/contract/core/permissions'
import type { Handler } from '@svc/contract/core/operation'
import { createSessionToken as createDeviceCode, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import {
  addressBucket,
  attemptLimits,
  attemptWindowSeconds,
  bucketOf,
  dailyLimits,
  dayInSeconds,
  tooManyAttempts,
} from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'
import {
  deviceGrantLifetime,
  newUserCode,
  pollInterval,
  shownUserCode,
  userCodeLetters,
} from './device-codes.ts'

/** A chance of one in 2^34 per open grant, so two in a row mean a bug. */
const tries = 3

/** The code is longer for a day after many wrong ones were entered in all. */
export const startDeviceGrant: Handler<typeof authTokens.operations.start_device_grant, Deps> = async (
  { body: { client_id, origin, permissions, workspace_id, expires_in } },
  _caller,
  { sql, now },
) => {
  const at = now() / 1000
  for (let attempt = 1; attempt <= tries; attempt++) {
    const device_code = createDeviceCode()
    const [usual, longer] = [newUserCode(), newUserCode(userCodeLetters.guessed)]
    const [outcome] = await sql<{
      wait: number | null
      guessed: boolean
      started: boolean
    }>`/* auth_tokens.start_device_grant */
      with client as (
        select id from oauth_clients where id = ${client_id}
      ), taken as materialized (
        select take_attempt(
          ${addressBucket('device_grants_per_address', origin.address)},
          ${attemptLimits.device_grants_per_address},
          make_interval(secs => ${attemptWindowSeconds}), to_timestamp(${at})
        ) as wait
        from client
      ), wrong as materialized (
        select count(*) >= ${dailyLimits.user_codes_in_all} as many from attempts a, unnest(a.times) t
        where a.bucket = ${bucketOf('user_codes_in_all')} and t > to_timestamp(${at - dayInSeconds})
      ), started as (
        insert into device_grants (
          id, device_code_hash, user_code_hash, client_id, address, user_agent, created_at, expires_at, interval_seconds,
          scope, can, workspace_id, lifetime_seconds
        )
        select ${newId('grant')}, decode(${hashCredential(device_code)}, 'hex'),
          decode(case when wrong.many then ${hashCredential(longer)} else ${hashCredential(usual)} end, 'hex'),
          client.id, ${origin.address}, ${origin.user_agent}, to_timestamp(${at}),
          to_timestamp(${at + deviceGrantLifetime}), ${pollInterval},
          ${permissions ?? null}::text[], ${permissions ? maskOf(permissions) : null}, ${workspace_id ?? null},
          ${expires_in ?? null}::int
        from client, wrong, taken where taken.wait = 0
        on conflict do nothing
        returning id
      )
      select (select wait from taken) as wait, (select many from wrong) as guessed, exists (select from started) as started`
    const { wait = null, guessed = false, started = false } = outcome ?? {}
    if (wait === null) return { body: { outcome: 'invalid_client' } }
    if (wait > 0) throw tooManyAttempts(wait)
    if (started) {
      const times = { expires_in: deviceGrantLifetime, interval: pollInterval }
      return {
        body: {
          outcome: 'started',
          device_code,
          user_code: shownUserCode(guessed ? longer : usual),
          ...times,
        },
      }
    }
  }
  throw refusal('overloaded')
}
