/** The intent of a creation: what was sent, normalised, and nothing that the server resolved. */
import { createHash } from 'node:crypto'
import type { OfferInput } from '@svc/contract/offer-input'
import stringify from 'safe-stable-stringify'

/** E-mail addresses as they are compared: lower case, each once, in no particular order. */
export const normaliseEmails = (emails: readonly string[]): string[] =>
  [...new Set(emails.map(email => email.toLowerCase()))].sort()

/**
 * SHA-256 in hex of the normalised body. Defaults are applied by its schema already, so an omitted `max_uses` is 1,
 * which null is not; the variant follows from the properties that are present; keys are sorted at every level.
 */
export function intentOf(body: OfferInput): string {
  const { field_values = {}, allowed_emails } = body
  const normalised = { ...body, allowed_emails: normaliseEmails(allowed_emails), field_values }
  return createHash('sha256').update(stringify(normalised)).digest('hex')
}
