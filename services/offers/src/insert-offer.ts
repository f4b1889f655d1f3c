/** The one statement that creates an offer where nothing had to be reserved. */
import type { Sql } from '@svc/runtime/database'
import { type Exception, type NewOffer, type Outcome, outcomeOf } from './write-offer.ts'

/** As `WriteOffer` says, for one. */
export async function insertOffer(sql: Sql, { offer, pinned, use }: NewOffer): Promise<Outcome> {
  // No `exists` about the catalogue: PostgreSQL may plan it as a hash of the whole table.
  // `on conflict do nothing` could return no row at all under concurrency; the empty update returns the winner's.
  const [exception] = await sql<Exception>`
    with offer as (
      select record.* from jsonb_populate_record(null::offers, ${sql.json(offer)}) as record
      where (not ${pinned} or (
        select p.current_version_id from products p
        where p.workspace_id = record.workspace_id and p.id = record.product_id
      ) = record.package_version_id) and (record.offer_channel_id is null or (
        select c.active_policy from offer_channels c
        where c.workspace_id = record.workspace_id and c.id = record.offer_channel_id and c.status = 'active'
      ) = record.policy_number)
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
      returning id, workspace_id, product_id, package_version_id, offer_channel_id, policy_number
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.offers.created', json_build_object(
        'workspace_id', workspace_id, 'product_id', product_id, 'package_version_id', package_version_id,
        'offer_channel_id', offer_channel_id, 'policy_number', policy_number
      )
      from created
    )
    select t.* from (select) as one left join taken t on true
    where not exists (select from created)`
  return outcomeOf(exception)
}
