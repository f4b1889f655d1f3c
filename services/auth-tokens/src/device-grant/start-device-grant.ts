import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { createSessionToken as createDeviceCode, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import {
  addressBucket,
  attemptLimits,
  attemptWindowSeconds,
  tooManyAttempts,
} from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'
import { deviceGrantLifetime, newUserCode, pollInterval, shownUserCode } from './device-codes.ts'

/** A chance of one in 2^34 per open grant, so two in a row mean a bug. */
const tries = 3

export const startDeviceGrant: Handler<typeof authTokens.operations.start_device_grant, Deps> = async (
  { body: { client_id, origin } },
  _caller,
  { sql, now },
) => {
  const at = now() / 1000
  for (let attempt = 1; attempt <= tries; attempt++) {
    const device_code = createDeviceCode()
    const user_code = newUserCode()
    const [outcome] = await sql<{
      wait: number | null
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
      ), started as (
        insert into device_grants (
          id, device_code_hash, user_code_hash, client_id, address, user_agent, created_at, expires_at, interval_seconds
        )
        select ${newId('grant')}, decode(${hashCredential(device_code)}, 'hex'), decode(${hashCredential(user_code)}, 'hex'),
          client.id, ${origin.address}, ${origin.user_agent}, to_timestamp(${at}),
          to_timestamp(${at + deviceGrantLifetime}), ${pollInterval}
        from client, taken where taken.wait = 0
        on conflict do nothing
        returning id
      )
      select (select wait from taken) as wait, exists (select from started) as started`
    const { wait = null, started = false } = outcome ?? {}
    if (wait === null) return { body: { outcome: 'invalid_client' } }
    if (wait > 0) throw tooManyAttempts(wait)
    if (started) {
      const times = { expires_in: deviceGrantLifetime, interval: pollInterval }
      return { body: { outcome: 'started', device_code, user_code: shownUserCode(user_code), ...times } }
    }
  }
  throw refusal('overloaded')
}
