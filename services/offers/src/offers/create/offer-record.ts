/** The row of an offer, as one JSON object: every statement that writes one takes it whole. */
import type { ScopedCaller } from '@svc/contract/core/caller'
import { newId, newShortHash } from '@svc/runtime/id'
import type { OfferReferences } from './offer-references.ts'
import type { NormalisedInput } from './intent.ts'
import type { Terms } from './resolve-terms.ts'
import { offerWords } from '../../search/scoped-words.ts'
import type { OfferedValues } from '../../sealing/sealed-values.ts'

export interface OfferRecord {
  readonly id: string
  readonly short_hash: string
  readonly workspace_id: string
  readonly package_version_id: string
  readonly field_values: OfferedValues
  readonly terms: Terms
  readonly [column: string]: unknown
}

/**
 * Columns by name; a property that was not sent is undefined, and its column null.
 *
 * @param input becomes the record
 */
export function offerRecord(
  input: NormalisedInput,
  caller: ScopedCaller,
  { version, channel }: OfferReferences,
  terms: Terms,
  now: number,
): OfferRecord {
  const { workspace, kind, id } = caller
  // The input itself, as a copy of so many properties costs more than all the rest here. Another attempt overwrites the same ones.
  return Object.assign(input, {
    id: newId('offer'),
    short_hash: newShortHash(),
    workspace_id: workspace,
    package_version_id: version?.id ?? '',
    policy_number: channel?.active?.number,
    terms,
    words: offerWords(workspace, input),
    created_by: { kind, id, ...('user' in caller && { user: caller.user }) },
    created_at: new Date(now).toISOString(),
  })
}
