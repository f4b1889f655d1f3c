/** Many offers by one statement, each with an outcome of its own. */
import type { Sql } from '@svc/runtime/database'
import { type Exception, type NewOffer, type Outcome, outcomeOf } from './write-offer.ts'

/** As `WriteOffer` says, for each, in their order. Of several that use one key, one is written. */
export async function insertOffers(sql: Sql, wanted: readonly NewOffer[]): Promise<Outcome[]> {
  const input = wanted.map(({ offer, pinned, use }) => ({
    offer,
    pinned,
    key: use?.key,
    intent: use?.intent,
  }))
  // Keys are taken in their order, so that two replicas that write at once cannot deadlock.
  const exceptions = await sql<Exception & { place: number }>`
    with input as (
      select record as offer, item ->> 'key' as key, item ->> 'intent' as intent, place,
        coalesce(
          (not (item ->> 'pinned')::boolean or (
            select p.current_version_id from products p
            where p.workspace_id = record.workspace_id and p.id = record.product_id
          ) = record.package_version_id) and (record.offer_channel_id is null or (
            select c.active_policy from offer_channels c
            where c.workspace_id = record.workspace_id and c.id = record.offer_channel_id and c.status = 'active'
          ) = record.policy_number),
          false
        ) as holds
      from jsonb_array_elements(${sql.json(input)}) with ordinality as items (item, place),
        jsonb_populate_record(null::offers, item -> 'offer') as record
    ), taken as (
      insert into idempotency_keys (
        workspace_id, key, intent, package_version_id, offer_id, short_hash, created_at
      )
      select distinct on ((offer).workspace_id, key) (offer).workspace_id, key, intent,
        (offer).package_version_id, (offer).id, (offer).short_hash, (offer).created_at
      from input where holds and key is not null
      order by (offer).workspace_id, key, place
      on conflict (workspace_id, key) do update set key = excluded.key
      returning workspace_id, key, intent, package_version_id, fence, lease_until, free_at, offer_id, short_hash
    ), created as (
      insert into offers
      select (offer).* from input
      where holds and (key is null or (offer).id in (select offer_id from taken))
      returning id, workspace_id, product_id, package_version_id, offer_channel_id, policy_number
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.offers.created', json_build_object(
        'workspace_id', workspace_id, 'product_id', product_id, 'package_version_id', package_version_id,
        'offer_channel_id', offer_channel_id, 'policy_number', policy_number
      )
      from created
    )
    select i.place, t.intent, t.package_version_id, t.fence, t.lease_until, t.free_at, t.offer_id, t.short_hash
    from input i left join taken t on i.holds and t.workspace_id = (i.offer).workspace_id and t.key = i.key
    where not i.holds or (i.key is not null and t.offer_id is distinct from (i.offer).id)`
  const byPlace = new Map(exceptions.map(exception => [exception.place, exception]))
  return wanted.map((_, at) => outcomeOf(byPlace.get(at + 1)))
}
