/** The row of an offer, after everything about it was checked. */
import type { Caller } from '../caller.ts'
import { newId, newShortHash } from '../id.ts'
import { type Problem, refusal, unprocessable } from '../refusal.ts'
import { type OfferReferences, referenceProblems } from './offer-references.ts'
import { fieldValueProblems } from './field-values.ts'
import { normaliseEmails } from './intent.ts'
import type { OfferInput } from './offer-input.ts'
import { resolveTerms } from './terms.ts'

/** @throws Refusal 422 */
export function resolveOffer(body: OfferInput, caller: Caller, facts: OfferReferences) {
  const unresolved = referenceProblems(body, facts)
  if (unresolved.length > 0 || !facts.version_id) throw refusal(422, ...unresolved)
  const { terms, problems } = resolveTerms(body, facts.policy ?? undefined)
  problems.push(...timeProblems(body), ...fieldValueProblems(body, facts))
  if (problems.length > 0) throw refusal(422, ...problems)
  return {
    ...offerColumns(body, caller),
    package_version_id: facts.version_id,
    policy_number: facts.policy_number ?? null,
    terms,
  }
}

export function timeProblems({ expires_at }: OfferInput): Problem[] {
  const past = expires_at !== undefined && expires_at * 1000 <= Date.now()
  return past ? [unprocessable('expires_at', 'must lie in the future')] : []
}

/** The columns that follow from the body and the caller alone. */
export const offerColumns = (body: OfferInput, caller: Caller) => ({
  id: newId('offer'),
  workspace_id: caller.workspace,
  short_hash: newShortHash(),
  product_id: body.product_id ?? null,
  offer_channel_id: body.offer_channel_id ?? null,
  allowed_emails: normaliseEmails(body.allowed_emails),
  field_values: body.field_values ?? {},
  customer: body.customer ?? null,
  internal_note: body.internal_note ?? null,
  notes: body.notes ?? null,
  commercial_mode: body.commercial_mode ?? null,
  pricing_request: body.pricing_request ?? null,
  tier: body.tier ?? null,
  expires_at: body.expires_at ?? null,
  max_uses: body.max_uses,
  order_ttl_minutes: body.order_ttl_minutes,
  created_by: { kind: 'api_token', id: caller.id, role: 'member' },
  created_at: new Date(),
})

export type OfferRow = ReturnType<typeof resolveOffer>
