/** The one statement that creates an offer where nothing had to be reserved. */
import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'
import { keyColumns, orTheirKey } from './idempotency-key.ts'
import { boundKeyColumns, catalogueStands, eventOfCreated, returningCreated } from './offer-created.ts'
import { type Exception, type NewOffer, type WriteOfferResult, outcomeOf } from './new-offer.ts'

/** As `WriteOffer` says, for one. */
export async function insertOffer(sql: Sql, { offer, pinned, use, by }: NewOffer): Promise<WriteOfferResult> {
  const [exception] = await sql<Exception>`/* offers.insert_offer */
    with offer as (
      select record.* from jsonb_populate_record(null::offers, ${sql.json(offer)}) as record
      where ${catalogueStands(fragment`${pinned}`)}
    ), taken as (
      insert into idempotency_keys (${boundKeyColumns})
      select workspace_id, ${use?.key ?? null}, ${use?.intent ?? null}, package_version_id, id, short_hash, created_at
      from offer where ${use !== undefined}
      ${orTheirKey}
      returning ${keyColumns}
    ), created as (
      insert into offers
      select offer.* from offer left join taken on true
      where taken.offer_id = offer.id or not ${use !== undefined}
      ${returningCreated}
    ), event as (
      ${eventOfCreated(by)}
    )
    select t.* from (select) as one left join taken t on true
    where not exists (select from created)`
  return outcomeOf(exception)
}
