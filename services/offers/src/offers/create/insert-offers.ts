/** Many offers by one statement, each with an outcome of its own. */
import type { Sql } from '@svc/runtime/database'
import { manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { keyColumns, orTheirKey } from './idempotency-key.ts'
import { boundKeyColumns, catalogueStands, createdEvent, returningCreated } from './offer-created.ts'
import { type Exception, type NewOffer, type WriteOfferResult, outcomeOf } from './new-offer.ts'

/** As `WriteOffer` says, for each, in their order. Of several that use one key, one is written. */
export async function insertOffers(sql: Sql, wanted: readonly NewOffer[]): Promise<WriteOfferResult[]> {
  const input = wanted.map(({ offer, pinned, use, by }) => ({
    offer,
    pinned,
    key: use?.key,
    intent: use?.intent,
    by,
  }))
  // Keys are taken in their order, so that two replicas that write at once cannot deadlock.
  const exceptions = await sql<Exception & { ordinal: number }>`/* offers.insert_offers */
    with input as (
      select record as offer, item ->> 'key' as key, item ->> 'intent' as intent, item -> 'by' as by, ordinal,
        coalesce(${catalogueStands(fragment`(item ->> 'pinned')::boolean`)}, false) as holds
      from jsonb_array_elements(${sql.json(input)}) with ordinality as items (item, ordinal),
        jsonb_populate_record(null::offers, item -> 'offer') as record
    ), taken as (
      insert into idempotency_keys (${boundKeyColumns})
      select distinct on ((offer).workspace_id, key) (offer).workspace_id, key, intent,
        (offer).package_version_id, (offer).id, (offer).short_hash, (offer).created_at
      from input where holds and key is not null
      order by (offer).workspace_id, key, ordinal
      ${orTheirKey}
      returning workspace_id, key, ${keyColumns}
    ), created as (
      insert into offers
      select (offer).* from input
      where holds and (key is null or (offer).id in (select offer_id from taken))
      ${returningCreated}
    ), event as (
      ${manyIntoOutbox(fragment`by`)} ${createdEvent}
      from created join (select (offer).id as offer_id, by from input) who on offer_id = id
    )
    select i.ordinal, t.intent, t.package_version_id, t.fence, t.lease_until, t.free_at, t.offer_id, t.short_hash
    from input i left join taken t on i.holds and t.workspace_id = (i.offer).workspace_id and t.key = i.key
    where not i.holds or (i.key is not null and t.offer_id is distinct from (i.offer).id)`
  const byOrdinal = new Map(exceptions.map(exception => [exception.ordinal, exception]))
  return wanted.map((_, at) => outcomeOf(byOrdinal.get(at + 1)))
}
