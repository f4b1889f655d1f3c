/** The body of POST /offers after validation: defaults are applied, unknown properties refused. */
export interface OfferInput {
  product_id?: string
  package_version_id?: string
  offer_channel_id?: string
  allowed_emails: string[]
  field_values?: Record<string, FieldValue>
  customer?: { display_name: string; external_id?: string }
  internal_note?: string
  commercial_mode?: CommercialMode
  pricing_request?: Price
  notes?: string
  expires_at?: number
  max_uses: number | null
  order_ttl_minutes: number
  tier?: string
}

export interface FieldValue {
  value: unknown
  locked: boolean
}

export type CommercialMode = 'paid' | 'non_billable_test'

export interface Price {
  currency: 'eur' | 'usd'
  unit_amount: number
  interval: 'month' | 'year'
}

export interface CreatedOffer {
  id: string
  short_hash: string
  replayed: boolean
}

/** The last second that an offer may expire at: of the year 9999. */
export const endOfTime = 253_402_300_799

/** What an email address is, for the validators that let it be said: as browsers check it (HTML standard). */
export const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
