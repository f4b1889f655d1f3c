import type { ScopedCaller } from '@svc/contract/core/caller'
import { entryOf, envelopeError } from '@svc/contract/core/errors'
import type { OfferInput } from '@svc/contract/offers/offer-input'
import type { Deps } from '../../deps.ts'
import { inOffer, offerContext, sealValues, type Values } from '../../sealing/sealed-values.ts'
import { fieldValueProblems, secretFields } from './check-field-values.ts'
import { referenceProblems } from './check-references.ts'
import type { CreatedOffer } from './idempotency-key.ts'
import type { NormalisedInput } from './intent.ts'
import { type OfferRecord, offerRecord } from './offer-record.ts'
import type { OfferReferences } from './offer-references.ts'
import { resolveTerms } from './resolve-terms.ts'

export interface Request {
  readonly body: OfferInput
  readonly input: NormalisedInput
  readonly caller: ScopedCaller
  readonly deps: Deps
}

/** Everything that is checked before an offer exists: what it refers to, its terms, its time, its field values. */
export async function resolveOffer(
  { body, input, caller, deps }: Request,
  references: OfferReferences,
): Promise<OfferRecord> {
  const unresolved = referenceProblems(body, references)
  if (unresolved.length > 0 || !references.version) throw envelopeError('Unprocessable', unresolved)
  const { terms, problems } = resolveTerms(body, references.channel?.active?.policy)
  if (body.expires_at !== undefined && body.expires_at * 1000 <= deps.now()) {
    problems.push(
      entryOf('time_in_past', { path: ['expires_at'], message: 'expires_at must be in the future.' }),
    )
  }
  problems.push(...(await fieldValueProblems(body, references.version, deps)))
  if (problems.length > 0) throw envelopeError('Unprocessable', problems)
  return sealed(offerRecord(input, caller, references, terms, deps.now()), references.version, deps)
}

/** Seals the secret values. */
async function sealed(offer: OfferRecord, version: NonNullable<OfferReferences['version']>, deps: Deps) {
  if (Object.keys(offer.field_values).length === 0) return offer
  const secret = await secretFields(version, deps)
  if (secret.size === 0) return offer
  const seal = (values: Values) => sealValues(deps.seal, values, secret, offerContext(offer.id))
  return { ...offer, field_values: inOffer(offer.field_values, seal) }
}

export function created({ id, short_hash }: OfferRecord, { eventWritten }: Deps): CreatedOffer {
  eventWritten()
  return { id, short_hash, replayed: false }
}
