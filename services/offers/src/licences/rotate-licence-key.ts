import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { maxLicenceKeys, newLicenceKey, publishedSince, readLicenceKeys } from './licence-keys.ts'

/** Rotations at once are one. */
export const rotateLicenceKey: Handler<typeof offers.operations.rotate_licence_key, Deps> = async (
  { params: { id: workspace } },
  _caller,
  { sql, seal, now, eventWritten, call },
) => {
  const at = now()
  const { kid, public_jwk, private_jwk } = await newLicenceKey(seal)
  const [outcome] = await sql<{ is_full: boolean }>`/* offers.rotate_licence_key */
    with known as materialized (
      select count(*) >= ${maxLicenceKeys} as is_full from licence_keys
      where workspace_id = ${workspace} and (retired_at is null or retired_at > ${publishedSince(at)})
    ), retired as (
      update licence_keys set retired_at = to_timestamp(${at / 1000}), private_jwk = null
      where workspace_id = ${workspace} and retired_at is null and not (select is_full from known)
      returning 1
    ), created as (
      insert into licence_keys (kid, workspace_id, public_jwk, private_jwk, created_at)
      select ${kid}, ${workspace}, ${sql.json(public_jwk)}, ${private_jwk}, to_timestamp(${at / 1000})
      -- The count waits until the earlier key is retired.
      from known, (select count(*) from retired) done where not is_full
      on conflict (workspace_id) where retired_at is null do nothing
      returning kid, workspace_id
    ), event as (
      ${intoOutbox(call.by)} kid, 'events.licence_keys.rotated', jsonb_build_object('workspace_id', workspace_id)
      from created
    )
    select is_full from known`
  if (outcome?.is_full) {
    throw refusal('quota_exceeded', {
      message: `${maxLicenceKeys} keys are published: another one can follow when the oldest no longer is.`,
      metadata: { quota: 'licence_keys', limit: String(maxLicenceKeys) },
    })
  }
  eventWritten()
  return { body: await readLicenceKeys(sql, workspace, at) }
}
