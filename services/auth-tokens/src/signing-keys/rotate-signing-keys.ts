import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { newSigningKey, nextKeyKnownForSeconds } from './signing-keys.ts'

interface RotateSigningKeysResult {
  wait_seconds: number
  retired_kid: string
  active_kid: string
}

export const rotateSigningKeys: Handler<typeof authTokens.operations.rotate_signing_keys, Deps> = async (
  _input,
  _caller,
  { sql, seal, now, eventWritten, call },
) => {
  const next = await newSigningKey(seal)
  const [outcome] = await sql<RotateSigningKeysResult>`/* auth_tokens.rotate_signing_keys */
    with rotated as materialized (
      select wait_seconds, retired_kid, active_kid from rotate_signing_keys(
      ${next.kid}, ${sql.json(next.public_jwk)}, ${sql.json(next.private_jwk)}, to_timestamp(${now() / 1000}),
      make_interval(secs => ${nextKeyKnownForSeconds})
      )
    ), event as (
      ${intoOutbox(call.by)} active_kid, 'events.signing_keys.rotated', jsonb_build_object('retired', retired_kid)
      from rotated where wait_seconds = 0
    )
    select wait_seconds, retired_kid, active_kid from rotated`
  if (!outcome) throw new Error('The rotation has no outcome.')
  const { wait_seconds, retired_kid, active_kid } = outcome
  if (wait_seconds > 0) {
    throw refusal('key_too_young', {
      message: `The next signing key has not reached every gateway yet. Rotate in ${wait_seconds} seconds.`,
      headers: { 'Retry-After': String(wait_seconds) },
    })
  }
  eventWritten()
  return { body: { retired: retired_kid, active: active_kid, next: next.kid } }
}
