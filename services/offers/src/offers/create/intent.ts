/** The intent of a creation: what was sent, normalised, and nothing that the server resolved. */
import type { OfferInput } from '@svc/contract/offers/offer-input'
import { intentHash } from '@svc/runtime/creation-key'

/**
 * The body with everything in it named: what two bodies of one intent have in common. Defaults are applied by its schema
 * already, so an omitted `max_uses` is 1, which null is not; the variant follows from the properties that are present.
 *
 * Written out because the parser's output is slow to copy and to print: this is half of what a creation costs here.
 */
export const normalise = (body: OfferInput) =>
  ({
    product_id: body.product_id,
    package_version_id: body.package_version_id,
    offer_channel_id: body.offer_channel_id,
    allowed_emails: normaliseEmails(body.allowed_emails),
    field_values: body.field_values ?? {},
    customer: body.customer,
    internal_note: body.internal_note,
    commercial_mode: body.commercial_mode,
    pricing_request: body.pricing_request,
    notes: body.notes,
    expires_at: body.expires_at,
    max_uses: body.max_uses,
    order_ttl_minutes: body.order_ttl_minutes,
    tier: body.tier,
    // Left out where it is false: intents of before it was there stay the same.
    allow_api_tokens: body.allow_api_tokens || undefined,
  }) satisfies Record<keyof OfferInput, unknown>

export const normaliseEmails = (emails: readonly string[]): string[] => [...new Set(emails)].sort()

export type NormalisedInput = ReturnType<typeof normalise>

export const intentOf = (input: NormalisedInput): string => intentHash(input)
