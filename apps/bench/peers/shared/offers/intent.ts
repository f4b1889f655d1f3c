/** What was asked for, normalised, as SHA-256 in hex. */
import { hash } from 'node:crypto'
import type { OfferInput } from './offer-input.ts'

export const normaliseEmails = (emails: readonly string[]): string[] =>
  [...new Set(emails.map(email => email.toLowerCase()))].sort()

/** Every property in a fixed place, so that the order in which they were sent makes no difference. */
export function intentOf(body: OfferInput): string {
  const { customer, pricing_request: price } = body
  const intent = [
    body.product_id,
    body.package_version_id,
    body.offer_channel_id,
    normaliseEmails(body.allowed_emails),
    body.field_values && sorted(body.field_values),
    customer && [customer.display_name, customer.external_id],
    body.internal_note,
    body.commercial_mode,
    price && [price.currency, price.unit_amount, price.interval],
    body.notes,
    body.expires_at,
    // Null is not the same as left out.
    [body.max_uses],
    body.order_ttl_minutes,
    body.tier,
  ]
  return hash('sha256', JSON.stringify(intent), 'hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
