/** The one statement that creates an offer where nothing had to be reserved. */
import type { OfferInput } from '@svc/contract/offer-input'
import type { Sql } from '@svc/runtime/database'
import type { KeyRow, KeyUse } from './idempotency-key.ts'
import type { OfferRecord } from './offer-record.ts'

/**
 * Inserts an offer, and with it its key, together or not at all: provided that the product's current version and the
 * channel's policy still are those that the offer was resolved with.
 *
 * @returns the key's row, which names another offer when the key was taken; undefined when a reference moved
 */
export async function insertOffer(
  sql: Sql,
  offer: OfferRecord,
  body: OfferInput,
  use: KeyUse | undefined,
): Promise<KeyRow | undefined> {
  const pinned = body.package_version_id === undefined
  // `on conflict do nothing` could return no row at all under concurrency; the empty update returns the winner's.
  const [row] = await sql<KeyRow>`
    with offer as (
      select record.* from jsonb_populate_record(null::offers, ${sql.json(offer)}) as record
      where (not ${pinned} or exists (
        select from products p
        where p.workspace_id = record.workspace_id and p.id = record.product_id
          and p.current_version_id = record.package_version_id
      )) and (record.offer_channel_id is null or exists (
        select from offer_channels c
        where c.workspace_id = record.workspace_id and c.id = record.offer_channel_id
          and c.status = 'active' and c.active_policy = record.policy_number
      ))
    ), taken as (
      insert into idempotency_keys (
        workspace_id, key, intent, package_version_id, offer_id, short_hash, created_at
      )
      select workspace_id, ${use?.key ?? null}, ${use?.intent ?? null}, package_version_id, id, short_hash, created_at
      from offer where ${use !== undefined}
      on conflict (workspace_id, key) do update set key = excluded.key
      returning intent, package_version_id, fence, lease_until, free_at, offer_id, short_hash
    ), created as (
      insert into offers
      select offer.* from offer left join taken on true
      where taken.offer_id = offer.id or not ${use !== undefined}
      returning id, short_hash
    )
    select t.intent, t.package_version_id, t.fence, t.lease_until, t.free_at,
      coalesce(t.offer_id, c.id) as offer_id, coalesce(t.short_hash, c.short_hash) as short_hash
    from created c full join taken t on true`
  return row
}
