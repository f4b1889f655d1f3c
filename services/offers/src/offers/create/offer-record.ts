/** The row of an offer, as one JSON object: every statement that writes one takes it whole. */
import type { ScopedCaller } from '@svc/contract/core/caller'
import { newId, newShortHash } from '@svc/runtime/id'
import type { OfferReferences } from './offer-references.ts'
import type { NormalisedInput } from './intent.ts'
import type { Terms } from './resolve-terms.ts'
import type { OfferedValues } from '../../sealing/sealed-values.ts'

export interface OfferRecord {
  readonly id: string
  readonly short_hash: string
  readonly workspace_id: string
  readonly package_version_id: string
  readonly field_values: OfferedValues
  readonly [column: string]: unknown
}

/** Columns by name; a property that was not sent is undefined, and its column null. */
export function offerRecord(
  input: NormalisedInput,
  caller: ScopedCaller,
  { version, channel }: OfferReferences,
  terms: Terms,
  now: number,
): OfferRecord {
  const { workspace, name: _, ...principal } = caller
  // Named one by one, as a spread of so many properties costs more than all the rest here.
  return {
    product_id: input.product_id,
    offer_channel_id: input.offer_channel_id,
    allowed_emails: input.allowed_emails,
    field_values: input.field_values,
    customer: input.customer,
    internal_note: input.internal_note,
    commercial_mode: input.commercial_mode,
    pricing_request: input.pricing_request,
    notes: input.notes,
    expires_at: input.expires_at,
    max_uses: input.max_uses,
    order_ttl_minutes: input.order_ttl_minutes,
    tier: input.tier,
    allow_api_tokens: input.allow_api_tokens,
    id: newId('offer'),
    short_hash: newShortHash(),
    workspace_id: workspace,
    package_version_id: version?.id ?? '',
    policy_number: channel?.active?.number,
    terms,
    created_by: principal,
    created_at: new Date(now).toISOString(),
  } satisfies OfferRecord & Record<keyof NormalisedInput, unknown>
}
