import type { OfferState } from '@svc/contract/offers/published-offers'
import type { IdRange } from '@svc/runtime/cursor'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import {
  hasText,
  isWanted,
  isWithin,
  pageOfScan,
  type ScannedPage,
  type ScannedRow,
  scanPage,
} from '../scanned-page.ts'
import { soldName } from './offer-columns.ts'

export interface OffersWanted {
  readonly workspace: string
  readonly range: IdRange
  readonly limit: number
  readonly now: number
  readonly after?: number
  readonly before?: number
  readonly text?: string
  readonly product_id?: string
  readonly offer_channel_id?: string
  readonly state?: OfferState
  readonly idempotency_key?: string
}

export const findOffers = async (sql: Sql, wanted: OffersWanted): Promise<ScannedPage> =>
  pageOfScan(await scan(sql, wanted), wanted.limit)

/** One statement per leading index: a single statement would have one plan for all of them. */
function scan(sql: Sql, wanted: OffersWanted): Promise<ScannedRow[]> {
  const { workspace, range, limit, product_id, offer_channel_id, idempotency_key } = wanted
  if (idempotency_key !== undefined) {
    return sql`/* offers.find_offer_by_key */
      select o.id, 1 as ordinal, true as fits
      from idempotency_keys k join offers o on o.workspace_id = k.workspace_id and o.id = k.offer_id
      where k.workspace_id = ${workspace} and k.key = ${idempotency_key} and o.id > ${range.above} and o.id < ${range.below} and ${fits(wanted)}`
  }
  const page = (where: Fragment) =>
    scanPage({ from: fragment`offers o`, where, fits: fits(wanted), range, limit })
  const own = fragment`o.workspace_id = ${workspace}`
  if (offer_channel_id !== undefined) {
    return sql`/* offers.find_offers_of_channel */ ${page(fragment`
      o.offer_channel_id = ${offer_channel_id} and ${own}
      and exists (select from offer_channels where workspace_id = ${workspace} and id = ${offer_channel_id})`)}`
  }
  if (product_id !== undefined) {
    return sql`/* offers.find_offers_of_product */ ${page(fragment`
      o.product_id = ${product_id} and ${own}
      and exists (select from products where workspace_id = ${workspace} and id = ${product_id})`)}`
  }
  return sql`/* offers.find_offers */ ${page(own)}`
}

const texts = fragment`o.id, o.short_hash, o.customer ->> 'display_name', o.customer ->> 'external_id', o.internal_note,
  o.notes, ${soldName(fragment`o`)}`

const fits = ({
  product_id,
  offer_channel_id,
  state,
  now,
  text,
  ...times
}: OffersWanted): Fragment => fragment`
  ${isWanted(fragment`o.product_id`, product_id)}
  and ${isWanted(fragment`o.offer_channel_id`, offer_channel_id)}
  and ${isWithin(fragment`o.created_at`, times)}
  and ${isWanted(fragment`offer_state(o, ${now})`, state)}
  and ${hasText(texts, text)}`
