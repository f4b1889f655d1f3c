import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { keyPrincipal } from '../leases/principals.ts'
import { newSigningKey } from './signing-keys.ts'

/** Cached look-ups of JWTs depend on their keys. A removed next key is replaced at once. */
export const removeSigningKey: Handler<typeof authTokens.operations.remove_signing_key, Deps> = async (
  { body: { kid } },
  _caller,
  { sql, seal, now, recall, eventWritten, call },
) => {
  const next = await newSigningKey(seal)
  const [outcome] = await sql<{
    state: 'next' | 'active' | 'retired' | null
  }>`/* auth_tokens.remove_signing_key */
    with removed as materialized (
      select remove_signing_key(
      ${kid}, ${next.kid}, ${sql.json(next.public_jwk)}, ${sql.json(next.private_jwk)}, to_timestamp(${now() / 1000})
      ) as state
    ), event as (
      ${intoOutbox(call.by)} ${kid}, 'events.signing_keys.removed', jsonb_build_object()
      from removed where state <> 'active'
    )
    select state from removed`
  if (outcome?.state && outcome.state !== 'active') eventWritten()
  await recall(keyPrincipal(kid))
  if (outcome?.state === 'active') throw refusal('key_signs', { path: ['kid'] })
  if (!outcome?.state) {
    throw refusal('not_found', { path: ['kid'], message: 'There is no such signing key.' })
  }
  return { body: undefined }
}
